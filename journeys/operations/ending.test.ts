import { spawn, type ChildProcess } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { preparePostgres } from '#kit/postgres/runtime'
import { root } from '#kit/root'
import { freePort } from '#kit/testing/free-port'
import { createOrganization, createProject, reaches, signUp } from '../testing/client.ts'
import { newHome } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { childOf, lives, until } from '../testing/processes.ts'
import { serversOf } from '../testing/world.ts'

type Launched = { launcher: ChildProcess; output: () => string; home: string; clusters: string }

const launched: Launched[] = []
afterEach(async () => {
  for (const { launcher, home, clusters } of launched.splice(0)) {
    launcher.kill('SIGTERM')
    await until('nothing runs any more', () => serversOf(clusters).size === 0)
    await rm(home, { recursive: true, force: true })
  }
})

/** Runs the platform as `npm start` does, launcher and all, and waits for its ready line. */
async function launch(
  program = process.execPath,
  words = [join(root, 'start/launch.mjs')],
): Promise<Launched> {
  const home = await newHome()
  const { clusters } = await preparePostgres(home)
  const lines: string[] = []
  const launcher = spawn(program, words, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PLINTH_HOME: home,
      PORT: String(await freePort()),
      PROJECT_PORT: String(await freePort()),
    },
  })
  for (const input of [launcher.stdout, launcher.stderr])
    createInterface({ input }).on('line', (line) => lines.push(line))
  const one = { launcher, output: () => lines.join('\n'), home, clusters }
  launched.push(one)
  await until('it serves', () => {
    if (launcher.exitCode !== null) throw new Error(one.output())
    return lines.some((line) => line.startsWith('ready '))
  })
  return one
}

/** The processes of a platform below its launcher, without the servers. */
function programsOf(launcher: ChildProcess): number[] {
  const all = childOf(launcher.pid ?? 0, 'all.js') ?? 0
  const planes = ['control-plane.js', 'data-plane.js'].map((word) => childOf(all, word) ?? 0)
  expect([all, ...planes].every((pid) => pid > 0)).toBe(true)
  return [all, ...planes]
}

test('Ctrl-C that reaches the launcher alone ends the platform', async () => {
  const { launcher, clusters } = await launch()
  const programs = programsOf(launcher)
  const gone = new Promise((resolve) => launcher.once('exit', resolve))
  launcher.kill('SIGINT')
  expect(await gone).toBe(0)
  expect(programs.filter(lives)).toEqual([])
  expect([...serversOf(clusters).keys()]).toEqual([])
})

test('a launcher that is killed takes everything with it', async () => {
  const { launcher, clusters } = await launch()
  const programs = programsOf(launcher)
  launcher.kill('SIGKILL')
  await until('all programs end', () => !programs.some(lives))
  expect([...serversOf(clusters).keys()]).toEqual([])
})

// It ignores SIGINT, which a terminal sends to all of them.
test('TERM that reaches npm alone ends the platform', async () => {
  const { launcher, clusters, output } = await launch('npm', ['start'])
  const { pid } = launcher
  launcher.kill('SIGTERM')
  await until('nothing runs any more', () => serversOf(clusters).size === 0)
  await until('the port is free', () => {
    const url = /^ready (\S+)/m.exec(output())?.[1] ?? ''
    return fetch(url).then(
      () => false,
      () => true,
    )
  })
  expect(pid && lives(pid)).toBe(false)
})

test('a folder that is gone keeps nothing else from ending, and is told in one line', async () => {
  const platform = await ownPlatform()
  const { clusters } = await preparePostgres(platform.home)
  const ada = await signUp(platform.url, 'ada@example.com')
  const { ref } = await createProject(ada, await createOrganization(ada, 'Acme'), 'Books')
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  const parent = platform.process.pid ?? 0
  const planes = ['control-plane.js', 'data-plane.js'].map((word) => childOf(parent, word) ?? 0)
  // A file where a folder should be: there is nothing to look into, and nothing can be made there.
  const templates = join(clusters, 'templates')
  await rename(templates, `${templates}-away`)
  await writeFile(templates, '')
  await platform.stop()
  expect(platform.process.exitCode).toBe(1)
  expect(planes.filter(lives)).toEqual([])
  expect(serversOf(clusters).has('platform')).toBe(false)
  expect(platform.output()).toMatch(/^plinth: the databases of projects could not be ended: .+$/m)
  expect(platform.output()).not.toMatch(/^ +at /m)
  // The next start takes over what was left.
  await rm(templates)
  await rename(`${templates}-away`, templates)
  const next = await ownPlatform({ home: platform.home, ports: platform.ports })
  await next.stop()
  expect([...serversOf(clusters).keys()]).toEqual([])
})
