import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAlone, createPlainDatabase, jwtSecret, startAlone } from '../testing/rest/alone.ts'
import type { PlainDatabase, Roles, TestAlone } from '../testing/rest/alone.ts'
import type { Ask } from '../testing/rest/client.ts'
import { differencesOf, type Difference } from '../testing/rest/peer-differences.ts'
import { known } from '../testing/rest/peer-known.ts'
import { more } from '../testing/rest/peer-more.ts'
import { reads } from '../testing/rest/peer-reads.ts'
import { refused } from '../testing/rest/peer-refusals.ts'
import type { PeerRequest } from '../testing/rest/peer-requests.ts'
import { writes } from '../testing/rest/peer-writes.ts'
import { peerMoreSchema, peerSchema } from '../testing/rest/peer-schema.ts'
import { peerIsHere, startPeer, type Peer } from '../testing/rest/peer.ts'

const met = new Set<string>()
function isKnown(difference: Difference): boolean {
  const found = known.find(({ fits }) => fits(difference))
  if (found) met.add(found.name)
  return found !== undefined
}

/** The same requests to the data API and to PostgREST 12.0.2, over one database: every difference has a reason. */
describe.runIf(peerIsHere)('beside PostgREST', () => {
  describe.each<[string, (roles: Roles) => string, [string, readonly PeerRequest[]][]]>([
    [
      'tables of all kinds',
      peerSchema,
      [
        ['reads', reads],
        ['writes', writes],
        ['refusals', refused],
      ],
    ],
    ['composites, views of junctions, aggregates', peerMoreSchema, [['more', more]]],
  ])('%s', (_name, schema, groups) => {
    let plain: PlainDatabase
    let ours: TestAlone
    let peer: Peer
    let theirs: Ask
    beforeAll(async () => {
      plain = await createPlainDatabase(schema)
      const settings = {
        'db-schemas': 'public,other',
        // Nothing lasts, so that every request meets the same rows.
        'db-tx-end': 'rollback',
        'db-aggregates-enabled': String(schema === peerMoreSchema),
      }
      ours = await startAlone(plain, settings)
      const own = { 'db-uri': plain.uri, 'db-anon-role': plain.roles.anon, 'jwt-secret': jwtSecret }
      peer = await startPeer({ ...settings, ...own })
      theirs = askAlone(peer.url)
    })
    afterAll(async () => {
      await peer.close()
      await ours.close()
      await plain.drop()
    })

    async function compared(asked: PeerRequest): Promise<Difference[]> {
      const { request, as, body, headers = {} } = asked
      const who = as === undefined ? {} : { as: plain.roles.user, claims: { sub: 'ada' } }
      const options = { headers, ...(body === undefined ? {} : { body }), ...who }
      return differencesOf(asked, await ours.ask(request, options), await theirs(request, options))
    }

    test.each(groups)('%s are answered alike', async (_group, requests) => {
      const unexplained: Difference[] = []
      for (const asked of requests) {
        const found = await compared(asked)
        unexplained.push(...found.filter((difference) => !isKnown(difference)))
      }
      expect(unexplained).toEqual([])
    })
  })

  test('every known difference is still there', () => {
    expect(known.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([])
  })
})
