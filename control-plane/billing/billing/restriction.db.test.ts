import { expect, test } from 'vitest'
import { startBilling } from '../../testing/billing.ts'

test('a server that cannot be told of a restriction does not keep the others from it', async () => {
  const told: [string, boolean][] = []
  const billing = await startBilling(undefined, {
    refsOf: async () => ['first', 'broken', 'last'],
    setReadOnly: async (ref, readOnly) => {
      if (ref === 'broken') throw new Error('The disk is gone')
      told.push([ref, readOnly])
    },
  })
  try {
    const { id } = await billing.organization('tier_pro')
    const job = { id: 'x', name: 'billing.restrict', subject: id }
    // The job fails with the name of the one that it could not tell.
    await expect(billing.run(job)).rejects.toThrow('Not told: broken')
    expect(told).toEqual([
      ['first', false],
      ['last', false],
    ])
  } finally {
    await billing.end()
  }
})
