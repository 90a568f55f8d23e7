import { randomUUID } from 'node:crypto'
import type { Tier } from '#contract/billing/plans'
import { person, type Person, type TestControlPlane } from './control-plane.ts'

/** Somebody with a profile: `name@example.com`. */
export async function newcomer(
  plane: TestControlPlane,
  name: string = randomUUID(),
): Promise<Person> {
  const one = person(plane, `${name}@example.com`)
  const { status, body } = await one.call('POST', '/platform/profile')
  if (status !== 201) throw new Error(`${name} has no profile: ${JSON.stringify(body)}`)
  return one
}

/** A new organization of this person; on the Team plan, which has the most to reach for, unless told. */
export async function organizationOf(
  who: Person,
  name: string,
  tier: Tier = 'tier_team',
): Promise<{ id: string; slug: string }> {
  const requested = { name, kind: 'PERSONAL', tier }
  const { status, body } = await who.call('POST', '/platform/organizations', requested)
  if (status !== 201) throw new Error(`${name} was not made: ${JSON.stringify(body)}`)
  return { id: String(body['id']), slug: String(body['slug']) }
}
