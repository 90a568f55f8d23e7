import { expect, test } from 'vitest'
import { startRounds } from './app-rounds.ts'

/** Runs each schedule once, as `jobs.every` does at first: what it rejects with ends none of the others. */
async function firstRound(broken: string) {
  const begun: Promise<unknown>[] = []
  const did: string[] = []
  const work = (name: string) => async () => {
    did.push(name)
    if (name === broken) throw new Error(`${name} is broken`)
    return 0
  }
  startRounds({
    jobs: {
      recover: work('recover'),
      every: (_seconds, _name, run) => void begun.push(run().catch(() => undefined)),
    },
    reconcile: work('reconcile'),
    checkHealth: async () => void (await work('health')()),
    mails: { prune: work('mails') },
    sentMails: { prune: work('sent mails') },
    oauth: { prune: work('oauth') },
    billing: { round: work('billing') },
    networks: { settleAll: work('networks') },
    disk: { round: work('disk') },
  })
  // Rounds may begin others.
  for (let count = 0; count < begun.length; count++) await begun[count]
  return did.toSorted()
}

const all = [
  'recover',
  'reconcile',
  'health',
  'mails',
  'sent mails',
  'oauth',
  'billing',
  'networks',
  'disk',
].toSorted()

test.each(all)('while %s is broken, everything else is looked after', async (broken) => {
  expect(await firstRound(broken)).toEqual(all)
})
