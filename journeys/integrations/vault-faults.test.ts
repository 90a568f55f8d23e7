import { beforeAll, expect, test } from 'vitest'
import { vault } from '#contract/integrations/vault'
import { places } from '#kit/testing/rounds'
import { createOrganization, databasePassword, reaches, runSql, signUp } from '../testing/client.ts'
import type { Person } from '../testing/client.ts'
import { anyway, failpoints, isSane } from '../testing/faults/kills.ts'
import type { Platform } from '../testing/platform.ts'
import { until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

/** The control plane is killed at each step of a rotation, before it and behind it. */
const faults = failpoints()
let platform: Platform
let ada: Person
let ref: string
let base: string

const steps = ['lay', 'reseal', 'retire', 'take-away'] as const
const points = steps.flatMap((step) => [`${step}:before`, `${step}:after`] as const)
const key = async () => {
  const answer = await anyway(ada.call('GET', base))
  return answer?.status === 200 ? vault.state.returns.parse(answer.body).key : undefined
}
/** The services may hear of what happened a little later: they were away from a control plane that died. */
async function ask(query: string): Promise<unknown> {
  let rows: unknown
  await until(query, async () => {
    rows = await anyway(runSql(ada, ref, query))
    return rows !== undefined
  })
  return rows
}
const opened = () =>
  ask(`select count(*)::int as n, count(distinct extensions.plinth_vault_key_of(decode(secret, 'base64')))::int as keys
    from vault.decrypted_secrets where decrypted_secret = 'value of ' || name`)

beforeAll(async () => {
  platform = await ownPlatform({ environment: faults.environment })
  ada = await signUp(platform.url, 'ada@example.com')
  const made = await ada.call('POST', '/platform/projects', {
    name: 'Treasury',
    organization_slug: await createOrganization(ada, 'Acme'),
    db_pass: databasePassword,
    db_region: 'eu-central-1',
  })
  ref = String(made.body['ref'])
  base = `/platform/projects/${ref}/vault`
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await runSql(
    ada,
    ref,
    `create extension supabase_vault;
     select vault.create_secret('value of ' || n, n::text) from generate_series(1, 10) n`,
  )
})

test.each(places(points, ['lay:before', 'reseal:after', 'retire:before', 'take-away:after']))(
  'killed at vault.rotate.%s, every secret opens then and at the end',
  async (at) => {
    const before = await key()
    const reached = faults.arm(`vault.rotate.${at}`)
    await anyway(ada.call('POST', `${base}/rotate`))
    await reached()
    expect(await opened()).toMatchObject([{ n: 10 }])
    await until('it is done', async () => {
      const now = await key()
      return now?.rotating === false && now.id !== before?.id
    })
    expect(await opened()).toEqual([{ n: 10, keys: 1 }])
    expect(await key()).toMatchObject({ failure: null, former: (before?.former ?? 0) + 1 })
  },
)

test('the world is sane', async () => {
  await isSane(platform)
})
