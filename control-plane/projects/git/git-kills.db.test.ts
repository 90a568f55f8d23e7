import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, GitDeployment } from '#contract/projects/git'
import { bundleProgram, runProgram } from '#kit/testing/program'
import { places } from '#kit/testing/rounds'
import { createSecrets } from '#kit/secrets'
import { branchBench } from '../../testing/branches.ts'
import { internalToken } from '../../testing/control-plane.ts'
import { startGitHost, type GitHost } from '../../testing/git-host.ts'
import { startWorld, type World } from '../../testing/world.ts'

let program: string
const key = randomBytes(32)
const token = 'what the host wants to see'
let world: World
let host: GitHost
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-git-'))
  await chmod(folder, 0o711)
  host = await startGitHost(token)
  world = await startWorld('', { secrets: createSecrets(key) }, {}, folder)
  program = await bundleProgram('control-plane/testing/git-crash-child.ts', 'git-crash')
})
afterAll(async () => {
  await world.end()
  await host.close()
  await rm(program, { force: true })
  await rm(folder, { recursive: true, force: true })
})

type Said = { ref: string; body: string; headers: Record<string, string> }

/** Runs a control plane to its end, or to the failpoint, which ends it as a power cut would. */
function run(failpoint?: string, said?: Said): Promise<unknown> {
  const given = {
    database: world.control.databaseConfig,
    dataPlaneUrl: world.project.url.slice(0, -world.ref.length - 1),
    internalToken,
    key: key.toString('base64'),
    said,
  }
  return runProgram(program, given, failpoint)
}

const inDeployment = [
  'git.deploy.begin:after',
  'git.migration:after',
  'git.deploy.migrations:after',
  'git.seed:after',
  'git.settings:after',
  'git.deploy.settings:after',
  'git.function:after',
  'git.deploy.end:after',
] as const
const points = places(inDeployment, ['git.migration:after', 'git.seed:after', 'git.function:after'])

test(
  'killed at each step of a deployment, it goes on, and everything is there once',
  { timeout: 300_000 },
  async () => {
    const path = `/platform/projects/${world.ref}/git`
    const set = await world.ada.call('PUT', path, { archive_url: host.archiveUrl, token })
    const { secret } = git.set.returns.parse(set.body)
    const bench = branchBench(world)
    const { id, project_ref: ref } = await bench.make('feature')
    await world.ada.call('PATCH', `${bench.path}/${id}`, { git_branch: 'feature' })
    const commit = host.commit({
      'supabase/migrations/20260101000000_books.sql': 'create table books (id int)',
      'supabase/migrations/20260102000000_notes.sql': 'create table notes (id int)',
      'supabase/seed.sql': 'insert into books values (1)',
      'supabase/config.toml': '[auth]\njwt_expiry = 1800\n[api]\nmax_rows = 50',
      'supabase/functions/hello/index.ts': `Deno.serve(() => new Response('Hello'))`,
    })
    // What a killed program leaves is taken up by any: by the ones that are killed here, and not by this one.
    await world.control.jobs.close()
    const said = { ref: world.ref, ...host.push(secret ?? '', 'feature', commit) }
    for (const [at, point] of points.entries())
      expect(await run(point, at === 0 ? said : undefined), point).toBe('SIGKILL')
    expect(await run()).toBe(0)

    const { body } = await world.ada.call('GET', `${path}/deployments`)
    const all = GitDeployment.array().parse(body['deployments'])
    expect(all).toMatchObject([{ status: 'done', failure: null, target_ref: ref, commit }])
    expect(await bench.tables(ref)).toEqual(['books', 'notes'])
    expect(await bench.sqlOf(ref, 'select id from books')).toEqual([{ id: 1 }])
    expect(
      await bench.sqlOf(
        ref,
        'select version from supabase_migrations.schema_migrations order by 1',
      ),
    ).toEqual([{ version: '20260101000000' }, { version: '20260102000000' }])
    const functions = await world.ada.call('GET', `/v1/projects/${ref}/functions`)
    expect(Object.values(functions.body)).toMatchObject([{ slug: 'hello', version: 1 }])
    const auth = await world.ada.call('GET', `/platform/auth/${ref}/config`)
    expect(auth.body).toMatchObject({ JWT_EXP: 1800 })
    const api = await world.ada.call('GET', `/platform/projects/${ref}/config/postgrest`)
    expect(api.body).toMatchObject({ max_rows: 50 })
    const changes = await world.control.db
      .selectFrom('platform.audit_entries')
      .select('action')
      .where('target', '=', `project:${ref}`)
      .where('action', 'in', ['authConfig.update', 'dataApi.update', 'functions.deploy'])
      .orderBy('id')
      .execute()
    expect(changes.map(({ action }) => action)).toEqual([
      'authConfig.update',
      'dataApi.update',
      'functions.deploy',
    ])
    const jobs = await world.control.db
      .selectFrom('platform.jobs')
      .select('failure')
      .where('name', '=', 'git.deploy')
      .execute()
    expect(jobs).toEqual([{ failure: null }])
    const asked = host.asked.length
    expect(asked).toBeGreaterThan(points.length)
  },
)
