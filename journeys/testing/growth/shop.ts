import { createHash } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { deploy } from './branches.ts'
import type { Person, Project } from '../client.ts'
import { publicClient, startTraffic, type Traffic } from './traffic.ts'

/** A small shop: each customer sees their own orders, nobody else any; pictures lie in a bucket, and a function greets. */
export const shopTables = `
  create table public.orders (
    id int primary key, customer uuid not null default auth.uid(), what text not null
  );
  alter table public.orders enable row level security;
  create policy "own orders" on public.orders to authenticated
    using (customer = (select auth.uid())) with check (customer = (select auth.uid()));
  grant select, insert on public.orders to authenticated;
  grant select on public.orders to anon, service_role;`

const pictures = ['tea.png', 'cake.png', 'shelf/jam.png']
const bytesOf = (name: string) =>
  Buffer.alloc(200_000, createHash('sha256').update(name).digest('hex'))
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Puts pictures into a bucket, and deploys a function. */
export async function furnish(owner: Person, project: Project): Promise<void> {
  const { storage } = publicClient(project, project.serviceKey)
  expect((await storage.createBucket('pictures')).error).toBeNull()
  for (const name of pictures)
    expect((await storage.from('pictures').upload(name, bytesOf(name))).error).toBeNull()
  const source = "Deno.serve(() => new Response('Welcome to the shop'))"
  await deploy(owner, project.ref, 'welcome', source)
}

/** Somebody who signs in at the shop with the public client. */
async function customer(project: Project, email: string): Promise<SupabaseClient> {
  const password = 'a long password of a customer'
  const { auth } = publicClient(project, project.serviceKey)
  expect((await auth.admin.createUser({ email, password, email_confirm: true })).error).toBeNull()
  const client = publicClient(project, project.anonKey)
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
  return client
}

/** Customers who order and look at what they have ordered. */
export async function openShop(project: Project, emails: readonly string[]): Promise<Traffic> {
  const clients = await Promise.all(emails.map((email) => customer(project, email)))
  return startTraffic(
    clients.map((client) => ({
      async write(id) {
        const { error, status } = await client.from('orders').insert({ id, what: `tea ${id}` })
        return error ? `${status} ${error.code} ${error.message}` : undefined
      },
      async read(id) {
        const { data, error, status } = await client.from('orders').select('what').eq('id', id)
        if (error) return `${status} ${error.code} ${error.message}`
        return data.length === 1 ? undefined : `${data.length} rows`
      },
    })),
  )
}

export const keysOf = async (owner: Person, ref: string): Promise<unknown> =>
  (await owner.call('GET', `/v1/projects/${ref}/api-keys?reveal=true`)).body

/** What must be there however the project has grown, but for its orders: pictures, function, keys, and who sees nothing. */
export async function furnitureOf(owner: Person, project: Project) {
  const service = publicClient(project, project.serviceKey)
  const anybody = publicClient(project, project.anonKey)
  const seen = await anybody.from('orders').select('id')
  const answered = await anybody.functions.invoke('welcome')
  const found = await Promise.all(
    pictures.map(async (name) => {
      const { data, error } = await service.storage.from('pictures').download(name)
      return data ? digestOf(new Uint8Array(await data.arrayBuffer())) : String(error?.message)
    }),
  )
  return {
    pictures: found,
    welcome: answered.data ?? String(answered.error),
    keys: await keysOf(owner, project.ref),
    seenByAnybody: seen.data ?? seen.error.message,
  }
}
/** What `furnitureOf` says of a shop that is whole. */
export const furniture = {
  pictures: pictures.map((name) => digestOf(bytesOf(name))),
  welcome: 'Welcome to the shop',
  seenByAnybody: [],
}
