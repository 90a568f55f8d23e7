import { expect, test } from 'vitest'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import { startControlPlane } from '#control-plane/testing'
import { notImplementedOnce } from './contract.ts'

test('the control plane implements every endpoint of the contract exactly once', async () => {
  const plane = await startControlPlane()
  try {
    const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
    const implemented = plane.routes.map((route) => route.endpoint)
    expect(notImplementedOnce(endpoints, implemented)).toEqual([])
  } finally {
    await plane.end()
  }
})
