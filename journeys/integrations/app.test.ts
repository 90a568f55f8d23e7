import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { root } from '#kit/root'
import { databasePassword } from '../testing/client.ts'
import { visitor } from '../testing/import-world.ts'
import { story } from '../testing/story.ts'
import { hasCommandLine, openTerminal, type Terminal } from '../testing/terminal.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** An app that people bring: its migrations say `create extension` of all that it uses, and are applied as they are. */
const migrations = join(root, 'journeys/integrations/app')

let bench: Workbench
let terminal: Terminal
let endpoint: string
let url: string
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  const made = await bench.ada.call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  terminal = await openTerminal(bench.platform.url, String(made.body['token']))
  const { body } = await bench.ada.call('GET', `/platform/projects/${bench.ref}`)
  ;({ endpoint } = bench.project)
  const login = `postgres:${encodeURIComponent(databasePassword)}`
  url = `postgresql://${login}@127.0.0.1:${String(body['db_port'])}/postgres`
})
afterAll(() => terminal.close())

const step = story('the migrations of an app with jobs, queues, secrets and calls', hasCommandLine)
const count = async (from: string) => {
  const [row] = (await bench.sql(`select count(*)::int as n from ${from}`)) as { n: number }[]
  return row?.n
}
const patience = { timeout: 60_000 }

step('they are pushed as they are', async () => {
  await terminal.runs('init')
  const folder = join(terminal.folder, 'supabase/migrations')
  await mkdir(folder, { recursive: true })
  await cp(migrations, folder, { recursive: true })
  await terminal.runs(`db push --db-url ${url} --yes`)
  expect(await count('supabase_migrations.schema_migrations')).toBe(2)
  expect(
    await count(`pg_extension where extname in
      ('pg_cron', 'pg_net', 'pgmq', 'supabase_vault', 'pgjwt', 'http', 'hypopg', 'index_advisor', 'pg_graphql')`),
  ).toBe(9)
})

step('jobs run as soon as they are there', async () => {
  await expect.poll(() => count('sessions'), patience).toBe(1)
  await expect
    .poll(() => count(`cron.job_run_details where status = 'succeeded'`), patience)
    .toBeGreaterThan(0)
})

step('an order of somebody is a mail by the worker, and a call with the secret', async () => {
  const functions = join(terminal.folder, 'supabase/functions/ordered')
  await mkdir(functions, { recursive: true })
  await writeFile(
    join(functions, 'index.ts'),
    `Deno.serve(async (request) => {
      const { record } = await request.json()
      return Response.json({ key: request.headers.get('x-hook-key'), title: record.title })
    })`,
  )
  const config = join(terminal.folder, 'supabase/config.toml')
  await writeFile(
    config,
    `${await readFile(config, 'utf8')}\n[functions.ordered]\nverify_jwt = false\n`,
  )
  await terminal.runs(`functions deploy ordered --use-api --remote=${bench.ref} --yes`)
  await bench.sql(`select vault.create_secret('${endpoint}', 'project_url')`)
  const { error } = await visitor(bench.project)
    .from('orders')
    .insert({ email: 'Ada@example.com', title: 'Kindred', total: 12 })
  expect(error).toBeNull()
  await expect.poll(() => count('sent_mails'), patience).toBe(1)
  expect(await count('pgmq.q_mails')).toBe(0)
  expect(
    await bench.sql(`select payload ->> 'email' as email, valid from sent_mails,
      extensions.verify(token, (select decrypted_secret from vault.decrypted_secrets where name = 'mail_key'))`),
  ).toEqual([{ email: 'Ada@example.com', valid: true }])
  await expect.poll(() => count('net._http_response'), patience).toBe(1)
  expect(
    await bench.sql('select status_code, content::json as content from net._http_response'),
  ).toEqual([{ status_code: 200, content: { key: 's3cr3t of the hook', title: 'Kindred' } }])
  // Whoever reads the table of secrets as it lies on the disk reads no secret.
  expect(JSON.stringify(await bench.sql('select * from vault.secrets'))).not.toContain('s3cr3t')
})

step('all of it is dropped, and pushed again', async () => {
  await bench.sql(`drop schema private cascade;
    drop table public.sent_mails, public.orders, public.sessions;
    drop extension pg_cron; drop extension pgmq cascade; drop extension supabase_vault cascade; drop extension pg_net;
    drop extension index_advisor; drop extension hypopg; drop extension http; drop extension pg_graphql; drop extension pgjwt;
    delete from supabase_migrations.schema_migrations`)
  await terminal.runs(`db push --db-url ${url} --yes`)
  await expect.poll(() => count('sessions'), patience).toBe(1)
})
