import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  createOrganization,
  createProject,
  personWith,
  reaches,
  runSql,
} from '../testing/client.ts'
import { signUp, type Account, type Project } from '../testing/client.ts'
import { jumpingClock } from '../testing/faults/clock.ts'
import { atEnd } from '../testing/ends.ts'
import type { Platform } from '../testing/platform.ts'
import { until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { wrongsOf } from '../testing/world.ts'

/** Somebody sets the machine's clock, or a virtual machine wakes up: all that ran goes on, and nothing is done twice. */
const clock = jumpingClock()
atEnd(() => Promise.resolve(clock.remove()))

let platform: Platform
let ada: Account
let slug: string
let shop: Project
let reader: SupabaseClient
let count = 0

beforeAll(async () => {
  platform = await ownPlatform({ environment: clock.environment })
  ada = await signUp(platform.url, 'ada@example.com')
  slug = await createOrganization(ada, 'Acme')
  shop = await createProject(ada, slug, 'Shop')
  await reaches(ada, shop.ref, ['ACTIVE_HEALTHY'])
  await runSql(
    ada,
    shop.ref,
    `create table notes (id int generated always as identity primary key, at timestamptz default now());
     alter table notes enable row level security;
     create policy everybody on notes to authenticated using (true) with check (true);
     grant select, insert on notes to authenticated;
     alter publication supabase_realtime add table notes; notify pgrst, 'reload schema'`,
  )
  reader = createClient(shop.endpoint, shop.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  })
})

/** What is told of rows, while the clock is whatever it is. */
async function listen() {
  const told: number[] = []
  const said: string[] = []
  const channel = reader
    .channel('notes')
    .on(
      'postgres_changes',
      { event: 'INSERT', schema: 'public', table: 'notes' },
      ({ new: row }) => void told.push(Number(row['id'])),
    )
    // It is subscribed to changes a moment after it has joined.
    .on('system', {}, ({ status }: { status: string }) => void said.push(status))
    .subscribe((state, error) => void said.push(state, String(error ?? '')))
  await until('it is subscribed', () => said.includes('ok'))
  return { told, end: () => reader.removeChannel(channel) }
}

/** Whoever was signed in goes on with their refresh token, as the clients do, and gets a token that counts. */
async function goOn(): Promise<void> {
  const answer = await fetch(`${platform.url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: ada.session['refresh_token'] }),
  })
  const session = (await answer.json()) as Record<string, unknown>
  expect(answer.status, JSON.stringify(session)).toBe(200)
  ada = { ...ada, ...personWith(platform.url, String(session['access_token'])), session }
  expect((await ada.call('GET', '/platform/organizations')).status).toBe(200)
}

async function everythingGoesOn(): Promise<void> {
  await goOn()
  // In the project: a new person, a row of theirs, and who listens hears of it.
  const email = `reader-${(count += 1)}@example.com`
  const signed = await reader.auth.signUp({ email, password: 'Str0ng-enough!' })
  expect(signed.error).toBeNull()
  expect((await reader.auth.refreshSession()).error).toBeNull()
  const live = await listen()
  const made = await reader.from('notes').insert({}).select('id').single()
  expect(made.error).toBeNull()
  await until('the row is told', () => live.told.includes(Number(made.data?.['id'])))
  await live.end()
  // Orders with several steps.
  const project = await createProject(ada, slug, `Project ${count}`)
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
  await ada.call('POST', `/platform/projects/${project.ref}/pause`)
  await reaches(ada, project.ref, ['INACTIVE'])
  await ada.call('DELETE', `/platform/projects/${project.ref}`)
  await reaches(ada, project.ref, ['404'])
  await expect.poll(() => wrongsOf(platform), { timeout: 60_000 }).toEqual([])
}

const invoices = async () =>
  (await ada.call('GET', `/platform/organizations/${slug}/billing/invoices`)).body

test('a clock that jumps an hour ahead, two hours back and home again stops nobody', async () => {
  await everythingGoesOn()
  const before = await invoices()
  const saidBefore = platform.output().length
  for (const hours of [1, -1, 0]) {
    clock.jump(hours)
    await everythingGoesOn()
  }
  expect(await invoices()).toEqual(before)
  const said = platform.output().slice(saidBefore).split('\n')
  expect(said.filter((line) => line.includes('"level":50'))).toEqual([])
})
