import { expect } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import { Domains } from '#contract/projects/domains'
import { startNameServer, type NameServer } from '#kit/testing/name-server'
import type { ControlPlaneOptions } from '../options.ts'
import { byHost, type Answer } from './by-host.ts'
import { startWorld } from './world.ts'

/** What custom hostnames point to. */
export const target = 'ingress.plinth-test.net'

/** A project with books on a paid plan, a name server, a clock that can be moved, and what is done with custom hostnames. */
export async function startDomains(
  more: Partial<ControlPlaneOptions> = {},
  services: Parameters<typeof startWorld>[2] = {},
  given?: NameServer,
) {
  const dns = given ?? (await startNameServer())
  const clock = { ahead: 0 }
  const world = await startWorld(
    `create table books (id int primary key, title text);
     create policy everybody on books to anon using (true);
     grant select on books to anon;
     insert into books values (1, 'Dune')`,
    {
      now: () => new Date(Date.now() + clock.ahead),
      ...more,
      domains: { target, dnsServers: [dns.address], ...more.domains },
    },
    services,
  )
  const at = byHost(new URL(world.project.url).origin)
  const custom = (ref: string) => `/platform/projects/${ref}/custom-hostname`
  const addOns = (ref: string) => `/platform/projects/${ref}/billing/addons`
  const setTier = (tier: Tier) =>
    world.control.db
      .updateTable('platform.organizations')
      .set({ tier })
      .where('slug', '=', 'acme')
      .execute()
  await setTier('tier_pro')
  const get = async (ref = world.ref) =>
    Domains.parse((await world.ada.call('GET', `/platform/projects/${ref}/domains`)).body)
  const books = (host: string, headers = {}): Promise<Answer> =>
    at(host, '/rest/v1/books', { apikey: world.project.anonKey, ...headers })

  return {
    world,
    dns,
    clock,
    at,
    setTier,
    get,
    /** The project's books, by this name. */
    books,
    initialize: (hostname: string, ref = world.ref) =>
      world.ada.call('POST', `${custom(ref)}/initialize`, { hostname }),
    reverify: (ref = world.ref) => world.ada.call('POST', `${custom(ref)}/reverify`),
    activate: (ref = world.ref) => world.ada.call('POST', `${custom(ref)}/activate`),
    remove: (ref = world.ref) => world.ada.call('DELETE', custom(ref)),
    enable: (ref = world.ref) =>
      world.ada.call('POST', addOns(ref), {
        addon_type: 'custom_domain',
        addon_variant: 'cd_default',
      }),
    disable: (ref = world.ref) => world.ada.call('DELETE', `${addOns(ref)}/cd_default`),
    tokenOf: async (ref = world.ref) =>
      (await get(ref)).custom?.records.find(({ type }) => type === 'TXT')?.value ?? '',
    /** What the owner of the name would do at their DNS. */
    point(hostname: string, texts: string[], to = target): void {
      dns.records.set(hostname, { CNAME: to })
      dns.records.set(`_plinth-challenge.${hostname}`, { TXT: texts })
    },
    /** Until the data plane has heard of it. */
    answers: (host: string, status: number) =>
      expect.poll(async () => (await books(host)).status).toBe(status),
    /** Of the audit log: what was done, and by whom. */
    entries: async (action: string) =>
      (
        await world.control.db
          .selectFrom('platform.audit_entries')
          .select(['action', 'actor_email'])
          .where('action', 'like', action)
          .orderBy('id')
          .execute()
      ).map(({ action: name, actor_email }) => `${name} ${actor_email}`),
    async end(): Promise<void> {
      await world.end()
      await dns.close()
    },
  }
}
export type DomainWorld = Awaited<ReturnType<typeof startDomains>>
