import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogFiles } from '#data-plane/logs/files/log-files'
import { engineProgram } from '#data-plane/testing/logs/engine-program'
import { silentLog } from '#kit/log'
import { startAgent, type Agent } from '../testing/agent.ts'
import { startWorld, type World } from '../testing/world.ts'

/** The tools of the public MCP server, by which agents use the Management API. What they answer is checked by its own schemas. */
let world: World
let agent: Agent
let token: string
let folder: string
/** The project, as most tools want to be told. */
let here: { project_id: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-agents-'))
  const kept = join(folder, 'logs')
  const logs = createLogFiles({ folder: kept, engine: await engineProgram(), log: silentLog })
  world = await startWorld('', {}, { logs }, folder)
  const made = await world.ada.call('POST', '/platform/profile/access-tokens', { name: 'agent' })
  token = String(made.body['token'])
  agent = await startAgent(world.controlUrl, token)
  here = { project_id: world.ref }
})
afterAll(async () => {
  await agent.close()
  await world.end()
  await rm(folder, { recursive: true, force: true })
})

/** What a tool that has to succeed answered. */
async function uses(tool: string, input: Record<string, unknown> = here) {
  const { answer, failure } = await agent.use(tool, input)
  expect(failure, tool).toBeUndefined()
  return answer
}

test('organizations, projects and what they cost', async () => {
  expect(await uses('list_organizations', {})).toEqual({
    organizations: [{ id: 'acme', slug: 'acme', name: 'Acme' }],
  })
  expect(await uses('get_organization', { id: 'acme' })).toEqual({
    id: 'acme',
    name: 'Acme',
    plan: 'team',
    allowed_release_channels: ['ga'],
    opt_in_tags: [],
  })
  const project = { ref: world.ref, name: 'Books', status: 'ACTIVE_HEALTHY' }
  expect(await uses('list_projects', {})).toMatchObject({ projects: [project] })
  expect(await uses('get_project', { id: world.ref })).toMatchObject(project)
  const cost = await uses('get_cost', { type: 'project', organization_id: 'acme' })
  expect(cost).toEqual({ type: 'project', recurrence: 'monthly', amount: 10 })
})

test('what is refused says why', async () => {
  const nobody = await startAgent(world.controlUrl, `sbp_${'0'.repeat(40)}`)
  expect((await nobody.use('list_projects')).failure).toContain('provide a valid access token')
  await nobody.close()
  const nowhere = await agent.use('get_project', { id: 'a'.repeat(20) })
  expect(nowhere.failure).toContain('This project does not exist')
  const failure = async (tool: string, input: object) =>
    (await agent.use(tool, { ...here, ...input })).failure
  expect(await failure('apply_migration', { name: 'bad', query: 'create tabel x' })).toContain(
    'syntax error at or near',
  )
  expect(await failure('execute_sql', { query: 'select nothing' })).toContain(
    'column \\"nothing\\" does not exist',
  )
  const config = { fileSizeLimit: 0, features: {} }
  expect(await failure('update_storage_config', { config })).toBeDefined()
})

test('the database: migrations, SQL, tables, extensions, types and findings', async () => {
  const query = 'create table public.books (id int primary key, title text not null)'
  await uses('apply_migration', { ...here, name: 'books', query })
  const { migrations } = await uses('list_migrations')
  expect(migrations).toMatchObject([{ version: expect.any(String), name: 'books' }])
  const insert = "insert into books values (1, 'Dune') returning title"
  const rows = await uses('execute_sql', { ...here, query: insert })
  expect(rows['result']).toContain('[{"title":"Dune"}]')
  const schemas = ['public']
  expect(await uses('list_tables', { ...here, schemas, verbose: true })).toMatchObject({
    tables: [{ name: 'public.books', columns: [{ name: 'id' }, { name: 'title' }] }],
  })
  expect(await uses('list_extensions')).toMatchObject({
    extensions: expect.arrayContaining([expect.objectContaining({ name: 'pgcrypto' })]),
  })
  expect((await uses('generate_typescript_types'))['types']).toMatch(/books: \{\s+Row: \{/)
  const found = await uses('get_advisors', { ...here, type: 'security' })
  expect(JSON.stringify(found)).toContain('Table public.books has row level security')
  await uses('get_advisors', { ...here, type: 'performance' })
})

test('read-only, an agent changes nothing', async () => {
  const reader = await startAgent(world.controlUrl, token, '--read-only')
  expect(reader.tools).not.toContain('apply_migration')
  expect((await reader.use('list_tables', { ...here, schemas: ['auth'] })).failure).toBeUndefined()
  const query = 'create table public.none (id int)'
  expect((await reader.use('execute_sql', { ...here, query })).failure).toMatch(
    /read-only|permission denied/,
  )
  await reader.close()
})

test('keys for clients, and an address', async () => {
  const { keys } = await uses('get_publishable_keys')
  expect(keys).toMatchObject([
    { name: 'anon', type: 'legacy', disabled: false },
    { name: 'default', type: 'publishable', disabled: false },
  ])
  // The program makes it up, of a domain of its own: docs/compatibility.md.
  expect((await uses('get_project_url'))['url']).toContain(world.ref)
})

test('an edge function is deployed, called, read and deployed anew', async () => {
  const deploy = (files: Record<string, string>) =>
    uses('deploy_edge_function', {
      ...here,
      name: 'hello',
      entrypoint_path: 'index.ts',
      verify_jwt: false,
      files: Object.entries(files).map(([name, content]) => ({ name, content })),
    })
  const call = async () => (await fetch(`${world.project.url}/functions/v1/hello`)).text()
  expect(await uses('list_edge_functions')).toEqual({ functions: [] })
  const files = {
    'index.ts': "import { word } from './lib/word.ts'\nDeno.serve(() => new Response(word))",
    'lib/word.ts': "export const word: string = 'Grüße'",
  }
  expect(await deploy(files)).toMatchObject({ slug: 'hello', version: 1, status: 'ACTIVE' })
  expect(await call()).toBe('Grüße')
  const read = await uses('get_edge_function', { ...here, function_slug: 'hello' })
  expect(read['files']).toEqual(Object.entries(files).map(([name, content]) => ({ name, content })))
  const again = { 'index.ts': "Deno.serve(() => new Response('anew'))", 'deno.json': '{}' }
  expect(await deploy(again)).toMatchObject({ slug: 'hello', version: 2 })
  await expect.poll(call).toBe('anew')
  expect(await uses('list_edge_functions')).toMatchObject({
    functions: [
      { slug: 'hello', version: 2, entrypoint_path: 'index.ts', import_map_path: 'deno.json' },
    ],
  })
})

test('logs of every service, and questions about them', async () => {
  const services = [
    'api',
    'branch-action',
    'postgres',
    'edge-function',
    'edge-function-runtime',
    'auth',
    'storage',
    'realtime',
  ]
  const headers = { apikey: world.project.anonKey }
  await fetch(`${world.project.url}/rest/v1/logged`, { headers })
  const logs = async (service: string) =>
    JSON.stringify((await uses('get_logs', { ...here, service }))['result'])
  await expect.poll(() => logs('api')).toContain('/rest/v1/logged')
  for (const service of services) expect(await logs(service)).not.toContain('\\"error\\":{')
  const sql = 'select source, count(*) as n from logs group by source order by n desc'
  const counted = JSON.stringify(await uses('query_logs', { ...here, sql }))
  expect(counted).toContain('edge_logs')
})

test('buckets, and the settings of storage', async () => {
  await world.sql("insert into storage.buckets (id, name) values ('covers', 'covers')")
  expect(await uses('list_storage_buckets')).toMatchObject({
    buckets: [{ id: 'covers', public: false }],
  })
  const off = { enabled: false }
  const config = {
    fileSizeLimit: 1_000_000,
    features: { imageTransformation: off, s3Protocol: off },
  }
  await uses('update_storage_config', { ...here, config })
  expect(await uses('get_storage_config')).toEqual(config)
})

test('a branch is made, brought up to date, reset, merged and deleted', async () => {
  const price = { type: 'branch', recurrence: 'hourly', amount: 0.01344 }
  const { confirmation_id: confirm_cost_id } = await uses('confirm_cost', price)
  const made = await uses('create_branch', { ...here, name: 'develop', confirm_cost_id })
  expect(made).toMatchObject({ name: 'develop', parent_project_ref: world.ref })
  const { id: branch_id, project_ref } = made
  const rests = (status: string) =>
    expect
      .poll(async () => (await uses('list_branches'))['branches'], { timeout: 120_000 })
      .toMatchObject([{ id: branch_id, status }])
  await rests('FUNCTIONS_DEPLOYED')
  const query = 'create table public.shelves (id int primary key)'
  await uses('apply_migration', { project_id: project_ref, name: 'shelves', query })
  await uses('rebase_branch', { branch_id })
  await rests('FUNCTIONS_DEPLOYED')
  await uses('merge_branch', { branch_id })
  await rests('FUNCTIONS_DEPLOYED')
  const { tables } = await uses('list_tables', { ...here, schemas: ['public'], verbose: false })
  expect(tables).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'public.shelves' })]),
  )
  await uses('reset_branch', { branch_id })
  await rests('FUNCTIONS_DEPLOYED')
  await uses('delete_branch', { branch_id })
  await expect.poll(() => uses('list_branches'), { timeout: 120_000 }).toEqual({ branches: [] })
})

test('a project is made, paused and brought back', async () => {
  const price = { type: 'project', recurrence: 'monthly', amount: 10 }
  const { confirmation_id: confirm_cost_id } = await uses('confirm_cost', price)
  const made = await uses('create_project', {
    name: 'Shelves',
    region: 'eu-central-1',
    organization_id: 'acme',
    confirm_cost_id,
  })
  const project_id = String(made['id'])
  const becomes = (status: string) =>
    expect
      .poll(async () => (await uses('get_project', { id: project_id }))['status'], {
        timeout: 120_000,
      })
      .toBe(status)
  await becomes('ACTIVE_HEALTHY')
  await uses('pause_project', { project_id })
  await becomes('INACTIVE')
  await uses('restore_project', { project_id })
  await becomes('ACTIVE_HEALTHY')
})
