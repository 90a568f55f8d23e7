import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExistingProvider } from '#compute/existing/existing'
import { silentLog } from '#kit/log'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'

let plane: TestControlPlane
let ada: Person
beforeAll(async () => {
  const compute = createExistingProvider({
    // Nothing listens there: what is asked here never comes as far as the database.
    url: 'postgres://postgres@127.0.0.1:9/postgres',
    ref: 'default',
    everySql: [],
    onceSql: [],
    log: silentLog,
  })
  plane = await startControlPlane(silentLog, undefined, { compute })
  ada = await newcomer(plane, 'ada')
  await insertProject(plane, (await organizationOf(ada, 'Acme')).id, ownRef)
})
afterAll(() => plane.end())

test('a database that its operator runs is backed up by them: that is said, and nothing is ordered', async () => {
  const path = `/platform/database/${ownRef}`
  expect(await ada.call('GET', `${path}/backups`)).toMatchObject({
    status: 200,
    body: {
      walg_enabled: false,
      pitr_enabled: false,
      retention_days: 0,
      next_at: null,
      backups: [],
      recovery_windows: [],
    },
  })
  expect(await ada.call('GET', `${path}/clone/status`)).toMatchObject({ body: { clones: [] } })
  expect(await ada.call('GET', `/platform/projects/${ownRef}`)).toMatchObject({
    body: { is_physical_backups_enabled: false },
  })
  const moment = { recovery_time_target_unix: 1_700_000_000 }
  const addOn = { addon_type: 'pitr', addon_variant: 'pitr_7' }
  const copy = { newProjectName: 'Second books', newDbPass: 'Granite-7 under water' }
  for (const [at, body] of [
    [`${path}/backups`, {}],
    [`${path}/backups/restore`, { id: 1 }],
    [`${path}/backups/pitr`, moment],
    [`${path}/clone`, { ...copy, cloneBackupId: 1 }],
    [`/v1/projects/${ownRef}/database/backups/restore-pitr`, moment],
    [`/platform/projects/${ownRef}/billing/addons`, addOn],
  ] as const)
    expect(await ada.call('POST', at, body), at).toMatchObject({
      status: 403,
      body: {
        code: 'platform_only',
        message:
          "This project's database is managed by its operator, who is responsible for backups",
      },
    })
  expect(await ada.call('POST', `${path}/backups/download`, { id: 1 })).toMatchObject({
    status: 404,
  })
  await plane.backupRound()
  await plane.backupFilesRound()
  const ordered = await plane.db
    .selectFrom('platform.jobs')
    .select('name')
    .where('name', 'like', '%backup%')
    .execute()
  expect(ordered).toEqual([])
})
