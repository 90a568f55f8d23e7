import { randomInt } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import type { V1Branch } from '#contract/v1/v1-branches'
import { places, rounds } from '#kit/testing/rounds'
import { deploy, migrate } from '../testing/growth/branches.ts'
import {
  createOrganization,
  createProject,
  reaches,
  signUp,
  type Person,
} from '../testing/client.ts'
import { anyway, failpoints, isBack, isSane, killControlPlane } from '../testing/faults/kills.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

const faults = failpoints()
let platform: Platform
let ada: Person
let main: string
let tables = 0

beforeAll(async () => {
  platform = await ownPlatform({ environment: faults.environment })
  ada = await signUp(platform.url, 'ada@example.com')
  const { ref } = await createProject(ada, await createOrganization(ada, 'Acme'), 'Books')
  main = ref
  await reaches(ada, main, ['ACTIVE_HEALTHY'])
  await change(main)
  await say(main, 'first')
  await maskPeople()
})

/** One table more, recorded as a migration. */
async function change(ref: string): Promise<void> {
  const name = `t${(tables += 1)}`
  await migrate(ada, ref, name, `create table public.${name} (id int primary key)`)
}
const say = (ref: string, text: string) =>
  deploy(ada, ref, 'hello', `Deno.serve(() => new Response('${text}'))`)
/** What a branch and main have to agree in: tables, migrations, functions and a setting. */
async function stateOf(ref: string) {
  const { body } = await ada.call('POST', `/v1/projects/${ref}/database/query`, {
    query: `select array(select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1) as tables,
      array(select version from supabase_migrations.schema_migrations order by 1) as migrations`,
  })
  const functions = await ada.call('GET', `/v1/projects/${ref}/functions`)
  const digests = Object.values(functions.body).map(
    (one) => (one as { ezbr_sha256: string }).ezbr_sha256,
  )
  const auth = await ada.call('GET', `/platform/auth/${ref}/config`)
  return { database: Object.values(body), digests, otpSeconds: auth.body['MAILER_OTP_EXP'] }
}
/** A setting that goes with branches is another one. */
const set = (ref: string, seconds: number) =>
  ada.call('PATCH', `/platform/auth/${ref}/config`, { MAILER_OTP_EXP: seconds })
const branches = async () =>
  Object.values((await ada.call('GET', `/v1/projects/${main}/branches`)).body) as V1Branch[]
const atRest = (name: string) =>
  vi.waitFor(
    async () => {
      const branch = (await branches()).find((one) => one.name === name)
      if (!branch) throw new Error('There is no such branch')
      const { body } = await ada.call('GET', `/platform/projects/${main}/branches`)
      const all = body['branches'] as { id: string; busy: boolean; failure: string | null }[]
      const own = all.find(({ id }) => id === branch.id)
      if (!own || own.busy) throw new Error('It is busy')
      return { ...branch, failure: own.failure }
    },
    { timeout: 90_000, interval: 50 },
  )
/** Until the control plane was killed there and is back. */
async function killedAt(reached: () => Promise<void>): Promise<void> {
  await reached()
  await isBack(platform)
}

const inBranch = [
  'branch.migration:after',
  'branch.function:after',
  'branch.settings:after',
] as const
test.each(places(inBranch, ['branch.settings:after']))(
  'killed at %s, a branch is made whole, and merged whole',
  async (at) => {
    const name = at.replaceAll(/\W/g, '-')
    await set(main, randomInt(100, 1000))
    let reached = faults.arm(at)
    await ada.call('POST', `/v1/projects/${main}/branches`, { branch_name: name })
    await killedAt(reached)
    const { id, project_ref: ref, failure } = await atRest(name)
    expect(failure).toBeNull()
    expect(await stateOf(ref)).toEqual(await stateOf(main))
    await change(ref)
    await change(ref)
    await say(ref, name)
    await set(ref, randomInt(1000, 2000))
    reached = faults.arm(at)
    await anyway(ada.call('POST', `/v1/branches/${id}/merge`, {}))
    await killedAt(reached)
    expect((await atRest(name)).failure).toBeNull()
    expect(await stateOf(main)).toEqual(await stateOf(ref))
    await ada.call('DELETE', `/v1/branches/${id}`)
    await reaches(ada, ref, ['404'])
    await isSane(platform)
  },
)

const inDryRun = [
  'project.copy.save:after',
  'branch.dry-run.ready:after',
  'branch.dry-run.migration:after',
  'branch.dry-run.run:after',
  'branch.dry-run.remove:after',
] as const
test.each(places(inDryRun, ['branch.dry-run.migration:after', 'branch.dry-run.run:after']))(
  'killed at %s, a dry run comes to an end, main is as it was, and nothing is left',
  async (at) => {
    const name = at.replaceAll(/\W/g, '-')
    await ada.call('POST', `/v1/projects/${main}/branches`, { branch_name: name })
    const { id, project_ref: ref } = await atRest(name)
    await change(ref)
    const before = await stateOf(main)
    const path = `/platform/projects/${main}/branches/${id}/dry-run`
    const reached = faults.arm(at)
    await anyway(ada.call('POST', path))
    await killedAt(reached)
    const result = await vi.waitFor(
      async () => {
        const { body } = await ada.call('GET', path)
        const run = body['dry_run'] as { state: string; failure: string | null } | null
        if (!run || run.state === 'running') throw new Error('It is not over')
        return run
      },
      { timeout: 120_000, interval: 100 },
    )
    // While migrations ran the copy was no copy any more; everywhere else it goes on.
    const isLost = at === 'branch.dry-run.migration:after'
    expect([result.state, result.failure]).toEqual(
      isLost ? ['failed', 'It was interrupted. Check again'] : ['passed', null],
    )
    expect(await stateOf(main)).toEqual(before)
    await ada.call('DELETE', `/v1/branches/${id}`)
    await reaches(ada, ref, ['404'])
    await isSane(platform)
  },
)

/** Main has a person, whose mail no branch gets. */
async function maskPeople(): Promise<void> {
  await migrate(ada, main, 'people', 'create table public.people (id int primary key, email text)')
  await ada.call('POST', `/v1/projects/${main}/database/query`, {
    query: `insert into public.people values (1, 'ada@private.example')`,
  })
  const chosen = await ada.call('PUT', `/platform/projects/${main}/branch-settings`, {
    pause_after_hours: 24,
    masks: [{ schema: 'public', table: 'people', column: 'email', kind: 'hash' }],
  })
  expect(chosen.status, JSON.stringify(chosen.body)).toBe(200)
}
async function lengthsIn(ref: string): Promise<unknown[]> {
  const { body } = await ada.call('POST', `/v1/projects/${ref}/database/query`, {
    query: 'select length(email) as length from public.people',
  })
  return Object.values(body)
}

const inCopy = [
  'project.copy.reserve:after',
  'project.copy.save:after',
  'compute.copy.masked',
  'compute.restore.named',
  'project.copy.restore:after',
  'project.copy.let-go:after',
] as const
test.each(places(inCopy, ['compute.copy.masked', 'project.copy.let-go:after']))(
  'killed at %s, a branch with the data of main is whole and masked',
  async (at) => {
    const name = at.replaceAll(/\W/g, '-')
    const reached = faults.arm(at)
    // The first place may be reached before the answer has gone.
    await anyway(
      ada.call('POST', `/v1/projects/${main}/branches`, { branch_name: name, with_data: true }),
    )
    await killedAt(reached)
    const { id, project_ref: ref, failure } = await atRest(name)
    expect(failure).toBeNull()
    expect(await stateOf(ref)).toEqual(await stateOf(main))
    expect(await lengthsIn(ref)).toEqual([{ length: 32 }])
    await ada.call('DELETE', `/v1/branches/${id}`)
    await reaches(ada, ref, ['404'])
    await isSane(platform)
  },
)

const inReset = [
  'branch.reset.destroy:after',
  'compute.copy.masked',
  'branch.reset.make:after',
] as const
test('killed while it is reset, a branch with the data of main has them anew, and masked', async () => {
  await ada.call('POST', `/v1/projects/${main}/branches`, { branch_name: 'anew', with_data: true })
  const { id, project_ref: ref } = await atRest('anew')
  for (const at of places(inReset, ['branch.reset.destroy:after'])) {
    await change(ref)
    const reached = faults.arm(at)
    await anyway(ada.call('POST', `/v1/branches/${id}/reset`, {}))
    await killedAt(reached)
    expect((await atRest('anew')).failure, at).toBeNull()
    expect(await stateOf(ref), at).toEqual(await stateOf(main))
    expect(await lengthsIn(ref), at).toEqual([{ length: 32 }])
    await isSane(platform)
  }
  await ada.call('DELETE', `/v1/branches/${id}`)
  await reaches(ada, ref, ['404'])
})

const kills = rounds(2, 60)
test(
  `kills while it grows, by branches that are made, merged, updated and reset (${kills})`,
  async () => {
    const made = await ada.call('POST', `/v1/projects/${main}/branches`, { branch_name: 'random' })
    expect(made.status).toBe(201)
    const { id, project_ref: ref } = await atRest('random')
    for (let round = 1; round <= kills; round++) {
      await change(ref)
      const deed = (['merge', 'push', 'merge', 'reset'] as const)[round % 4] ?? 'merge'
      const other = `other-${round}`
      const given = [
        anyway(ada.call('POST', `/v1/branches/${id}/${deed}`, {})),
        anyway(ada.call('POST', `/v1/projects/${main}/branches`, { branch_name: other })),
      ]
      await killControlPlane(platform, randomInt(400))
      await Promise.all(given)
      await isBack(platform)
      expect((await atRest('random')).failure).toBeNull()
      // It was accepted, and is whole; or it was not, and there is nothing of it.
      if ((await branches()).some(({ name }) => name === other)) {
        const whole = await atRest(other)
        expect(whole.failure).toBeNull()
        await ada.call('DELETE', `/v1/branches/${whole.id}`)
        await reaches(ada, whole.project_ref, ['404'])
      }
      await ada.call('POST', `/v1/branches/${id}/merge`, {})
      expect((await atRest('random')).failure).toBeNull()
      expect(await stateOf(main)).toEqual(await stateOf(ref))
      await isSane(platform)
    }
  },
  120_000 + kills * 60_000,
)
