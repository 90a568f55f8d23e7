import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { newHome, startPlatform } from '../journeys/testing/platform.ts'
import { createOrganization, createProject, reaches, signUp } from '../journeys/testing/client.ts'
import { createBareServer } from './parts/bare-server.ts'
import { compare, measure } from './parts/compare.ts'
import { cpuOf, treeOf } from './parts/platform.ts'

/** The start of the whole platform with one project, to its ready line, against initdb, start and a bare listen. */
const home = await newHome()
const first = await startPlatform({ home })
const person = await signUp(first.url, 'bench@example.com')
const { ref } = await createProject(person, await createOrganization(person, 'Bench'), 'Only')
await reaches(person, ref, ['ACTIVE_HEALTHY'])
await first.stop()
const bareHome = await newHome()
const bare = await createBareServer(bareHome, 54_398)
try {
  await compare('boot', {
    rounds: 7,
    ours: async () => {
      const start = performance.now()
      const platform = await startPlatform({ home, ports: first.ports })
      const value = performance.now() - start
      const cpuMs = cpuOf(treeOf(platform, home))
      await platform.stop()
      return { value, cpuMs }
    },
    baseline: async () => {
      const measured = await measure(async () => {
        await bare.init()
        await bare.start()
        const server = createServer()
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
        server.close()
        return [bare.dataDir]
      })
      await bare.stop()
      return measured
    },
  })
} finally {
  await rm(home, { recursive: true, force: true })
  await rm(bareHome, { recursive: true, force: true })
}
