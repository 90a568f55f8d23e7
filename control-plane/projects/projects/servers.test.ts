import { expect, test } from 'vitest'
import { serverRounds } from './servers.ts'

function rounds({ isBroken = false } = {}) {
  const did: string[] = []
  const [reconcile, health] = serverRounds(
    async () => {
      did.push('reconcile')
      if (isBroken) throw new Error('The round is broken')
    },
    async () => void did.push('health'),
  )
  if (!reconcile || !health) throw new Error('There are two rounds')
  return { reconcile, health, did }
}

test('health is looked at once the servers were brought to the state they should be in', async () => {
  const { reconcile, health, did } = rounds()
  await health.run()
  expect(did).toEqual([])
  await reconcile.run()
  expect(did).toEqual(['reconcile', 'health'])
  await health.run()
  await reconcile.run()
  expect(did).toEqual(['reconcile', 'health', 'health', 'reconcile'])
})

test('a round that fails does not keep health from being looked at', async () => {
  const { reconcile, health, did } = rounds({ isBroken: true })
  await expect(reconcile.run()).rejects.toThrow('The round is broken')
  await health.run()
  expect(did).toEqual(['reconcile', 'health', 'health'])
})
