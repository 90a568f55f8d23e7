import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAgent, type Agent } from '../testing/agent.ts'
import { startWorld, type World } from '../testing/world.ts'

let world: World
let agent: Agent
beforeAll(async () => {
  world = await startWorld()
  const made = await world.ada.call('POST', '/platform/profile/access-tokens', { name: 'agent' })
  agent = await startAgent(world.controlUrl, String(made.body['token']))
})
afterAll(async () => {
  await agent.close()
  await world.end()
})

test('explore', { timeout: 300_000 }, async () => {
  console.log(agent.tools.join(' '))
  const project_id = world.ref
  const show = async (tool: string, input: Record<string, unknown> = {}) => {
    try {
      const used = await agent.use(tool, input)
      console.log(
        '##',
        tool,
        used.failure ? 'FAILED ' + used.failure : JSON.stringify(used.answer).slice(0, 900),
      )
      return used.answer
    } catch (e) {
      console.log('##', tool, 'THROWN', String(e))
      return {}
    }
  }
  await show('list_organizations')
  await show('get_organization', { id: 'acme' })
  await show('list_projects')
  await show('get_project', { id: project_id })
  await show('get_project', { id: 'a'.repeat(20) })
  await show('get_cost', { type: 'project', organization_id: 'acme' })
  await show('apply_migration', {
    project_id,
    name: 'books',
    query: 'create table public.books (id int primary key, title text not null)',
  })
  await show('apply_migration', { project_id, name: 'bad', query: 'create tabel x' })
  await show('list_tables', { project_id, schemas: ['public'], verbose: true })
  await show('list_tables', { project_id, schemas: ['public'], verbose: false })
  await show('list_extensions', { project_id })
  await show('list_migrations', { project_id })
  await show('execute_sql', {
    project_id,
    query: "insert into books values (1, 'Dune') returning title",
  })
  await show('execute_sql', { project_id, query: 'select nothing' })
  for (const service of [
    'api',
    'branch-action',
    'postgres',
    'edge-function',
    'edge-function-runtime',
    'auth',
    'storage',
    'realtime',
  ])
    await show('get_logs', { project_id, service })
  await show('query_logs', {
    project_id,
    sql: 'select source, count(*) as n from logs group by source order by n desc limit 5',
  })
  await show('get_advisors', { project_id, type: 'security' })
  await show('get_advisors', { project_id, type: 'performance' })
  await show('get_project_url', { project_id })
  await show('get_publishable_keys', { project_id })
  await show('generate_typescript_types', { project_id })
  await show('list_edge_functions', { project_id })
  await show('deploy_edge_function', {
    project_id,
    name: 'hello',
    entrypoint_path: 'index.ts',
    verify_jwt: false,
    files: [
      {
        name: 'index.ts',
        content: "import {x} from './lib/x.ts'; Deno.serve(() => new Response(x))",
      },
      { name: 'lib/x.ts', content: "export const x = 'hello'" },
    ],
  })
  console.log(await (await fetch(`${world.project.url}/functions/v1/hello`)).text())
  await show('list_edge_functions', { project_id })
  await show('get_edge_function', { project_id, function_slug: 'hello' })
  await show('deploy_edge_function', {
    project_id,
    name: 'hello',
    entrypoint_path: 'index.ts',
    verify_jwt: false,
    files: [
      { name: 'index.ts', content: "Deno.serve(() => new Response('two'))" },
      { name: 'deno.json', content: '{"imports":{}}' },
    ],
  })
  console.log(await (await fetch(`${world.project.url}/functions/v1/hello`)).text())
  await show('list_edge_functions', { project_id })
  await show('list_storage_buckets', { project_id })
  const cfg = await show('get_storage_config', { project_id })
  await show('update_storage_config', {
    project_id,
    config: {
      fileSizeLimit: 1000000,
      features: { imageTransformation: { enabled: false }, s3Protocol: { enabled: true } },
    },
  })
  await show('get_storage_config', { project_id })
  const cost = await show('confirm_cost', { type: 'branch', recurrence: 'hourly', amount: 0.01344 })
  const branch = await show('create_branch', {
    project_id,
    name: 'develop',
    confirm_cost_id: cost['confirmation_id'],
  })
  await show('list_branches', { project_id })
  await new Promise((r) => setTimeout(r, 8000))
  const branches = await show('list_branches', { project_id })
  const branch_id = branch['id']
  await show('rebase_branch', { branch_id })
  await new Promise((r) => setTimeout(r, 4000))
  await show('reset_branch', { branch_id })
  await new Promise((r) => setTimeout(r, 4000))
  await show('merge_branch', { branch_id })
  await new Promise((r) => setTimeout(r, 4000))
  await show('list_branches', { project_id })
  await show('delete_branch', { branch_id })
  await show('pause_project', { project_id: String(branch['project_ref']) })
  expect(1).toBe(1)
})
