import { expect, test } from 'vitest'
import { ProjectConnection } from '#contract/internal'
import type { ProjectStatus } from '#contract/projects/project-status'
import { silentLog } from '#kit/log'
import { fixedDirectory } from '../testing/fixed-directory.ts'
import { openSoon } from './open-soon.ts'
import { createProjects } from './projects.ts'

const ref = 'abcdefghijklmnopqrst'
const connection = (status: ProjectStatus) =>
  ProjectConnection.parse({
    ref,
    status,
    database: { host: '/nowhere', port: 5432, servicePassword: 'x' },
    jwtSecret: 'x'.repeat(32),
    sealingKey: '0'.repeat(64),
    anonKey: 'a',
    serviceKey: 'b',
    url: 'http://localhost',
    settings: {},
  })

async function setUp(status: ProjectStatus) {
  const directory = fixedDirectory([connection(status)])
  const projects = createProjects({ directory, log: silentLog })
  const open = (timeoutMs: number) => openSoon({ projects, directory, ref, timeoutMs })
  return { directory, projects, open }
}

test('a project that is being restored is waited for', async () => {
  const { directory, projects, open } = await setUp('RESTORING')
  const opened = open(10_000)
  directory.put(connection('ACTIVE_HEALTHY'))
  expect((await opened)?.connection.status).toBe('ACTIVE_HEALTHY')
  await projects.close()
})

test('it is refused when it takes too long, or ends badly', async () => {
  const { directory, projects, open } = await setUp('RESTORING')
  await expect(open(20)).rejects.toMatchObject({ status: 'RESTORING' })
  const opened = open(10_000)
  directory.put(connection('RESTORE_FAILED'))
  await expect(opened).rejects.toMatchObject({ status: 'RESTORE_FAILED' })
  await projects.close()
})

test.each(['INACTIVE', 'GOING_DOWN', 'INIT_FAILED'] as const)(
  '%s is refused at once',
  async (status) => {
    const { projects, open } = await setUp(status)
    await expect(open(10_000)).rejects.toMatchObject({ status })
    await projects.close()
  },
)
