import { beforeAll, expect, test } from 'vitest'
import { allFaults } from '#kit/testing/rounds'
import { createOrganization, databasePassword, reaches, runSql, signUp } from '../testing/client.ts'
import type { Person } from '../testing/client.ts'
import { anyway, failpoints, isSane } from '../testing/faults/kills.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { until } from '../testing/processes.ts'

/** The control plane is killed at steps of what makes backups and restores them: at each of them where all faults are asked for. */
const faults = failpoints()
let platform: Platform
let ada: Person
let ref: string
let backups: string
let count = 0

type Backup = { id: number; status: string; reason: string; failure: string | null }
/** After a step and before that is written down, which is where most would be done twice; and where all is done. */
const around = (steps: string[], usual: string[]) => [
  ...(allFaults ? steps : usual).map((step) => `${step}:after`),
  ...(allFaults ? ['finish:before'] : []),
]
const kept = async () =>
  (await anyway(ada.call('GET', backups)))?.body['backups'] as Backup[] | undefined
/** The services may hear of what happened a little later: they were away from a control plane that died. */
async function ask(query: string, project = ref): Promise<unknown> {
  let rows: unknown
  await until(query, async () => {
    rows = await anyway(runSql(ada, project, query))
    return rows !== undefined
  })
  return rows
}
const notes = async (project = ref) => ask('select text from notes order by 1', project)
/** Ends when the order has been carried out, in spite of the kill that it meets on its way. */
async function killedAt(
  point: string,
  order: () => Promise<unknown>,
  done: () => Promise<boolean>,
) {
  const reached = faults.arm(point)
  await anyway(order())
  await reached()
  await until('it is done', done)
}
const isActive = async (project = ref) =>
  (await anyway(ada.call('GET', `/platform/projects/${project}/status`)))?.body['status'] ===
  'ACTIVE_HEALTHY'

beforeAll(async () => {
  platform = await ownPlatform({ environment: faults.environment })
  ada = await signUp(platform.url, 'ada@example.com')
  const made = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: await createOrganization(ada, 'Acme'),
    db_pass: databasePassword,
    db_region: 'eu-central-1',
    desired_instance_size: 'small',
  })
  ref = String(made.body['ref'])
  backups = `/platform/database/${ref}/backups`
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await runSql(ada, ref, `create table notes (text text); insert into notes values ('kept')`)
})

test.each(around(['copy', 'check'], ['copy']))(
  'killed at backup.make.%s, the backup is completed all the same',
  async (at) => {
    const before = ((await kept()) ?? []).length
    await killedAt(
      `backup.make.${at}`,
      () => ada.call('POST', backups),
      async () => {
        const all = (await kept()) ?? []
        return all.length === before + 1 && all.every(({ status }) => status === 'COMPLETED')
      },
    )
    await isSane(platform)
  },
)

test.each(around(['wake', 'copy', 'check', 'restore', 'finish-restore'], ['copy', 'restore']))(
  'killed at project.restore-backup.%s, the rows of the backup come back once, and what they replaced is kept',
  async (at) => {
    const all = (await kept()) ?? []
    const first = all.findLast(({ reason }) => reason === 'manual')
    await ask(`insert into notes values ('lost')`)
    await killedAt(
      `project.restore-backup.${at}`,
      () => ada.call('POST', `${backups}/restore`, { id: first?.id }),
      () => isActive(),
    )
    await isSane(platform)
    expect(await notes()).toEqual([{ text: 'kept' }])
    const [safety, ...rest] = (await kept()) ?? []
    expect(safety).toMatchObject({ reason: 'before_restore', status: 'COMPLETED' })
    expect(rest).toHaveLength(all.length)
  },
)

test.each(around(['begin', 'restore', 'finish-clone'], ['restore']))(
  'killed at project.clone.%s, the new project has the rows',
  async (at) => {
    const first = (await kept())?.findLast(({ reason }) => reason === 'manual')
    const newProjectName = `Copy ${(count += 1)}`
    const clones = `/platform/database/${ref}/clone`
    const order = { newProjectName, newDbPass: databasePassword, cloneBackupId: first?.id }
    type Clone = { status: string; target_project: { ref: string; name: string } }
    const found = async () => {
      const answer = await anyway(ada.call('GET', `${clones}/status`))
      const list = answer?.body['clones'] as Clone[] | undefined
      return list?.find(({ target_project: { name } }) => name === newProjectName)
    }
    await killedAt(
      `project.clone.${at}`,
      () => ada.call('POST', clones, order),
      async () => (await found())?.status === 'COMPLETED',
    )
    await isSane(platform)
    const copy = String((await found())?.target_project.ref)
    expect(await notes(copy)).toEqual([{ text: 'kept' }])
    await ada.call('DELETE', `/platform/projects/${copy}`)
    await reaches(ada, copy, ['404'])
  },
)

test.each(around(['tell'], ['tell']))(
  'killed at project.archive.%s, the server keeps its WAL, or no longer',
  async (at) => {
    const addOns = `/platform/projects/${ref}/billing/addons`
    const mode = () => ask('show archive_mode')
    const order = { addon_type: 'pitr', addon_variant: 'pitr_7' }
    await killedAt(
      `project.archive.${at}`,
      () => ada.call('POST', addOns, order),
      () => isActive(),
    )
    await isSane(platform)
    expect(await mode()).toEqual([{ archive_mode: 'on' }])
    await killedAt(
      `project.archive.${at}`,
      () => ada.call('DELETE', `${addOns}/pitr_7`),
      () => isActive(),
    )
    await isSane(platform)
    expect(await mode()).toEqual([{ archive_mode: 'off' }])
  },
)
