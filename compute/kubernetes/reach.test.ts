import { expect, test } from 'vitest'
import type { ClusterApi } from './api.ts'
import type { Cluster, Pod } from './objects.ts'
import { reach } from './project.ts'

const limits = { cpu: '1', memory: '1Gi' }
const broken = 'Unable to create required cluster objects'
const clusterIn = (phase: string, isReady: boolean) =>
  ({
    metadata: { name: 'abc', resourceVersion: '1' },
    spec: { instances: 1, resources: { limits } },
    status: {
      phase,
      readyInstances: isReady ? 1 : 0,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    },
  }) as Cluster
const pod = { spec: { containers: [{ name: 'postgres', resources: { limits } }] } } as Pod

/** A cluster that shows these one after the other, and the last for good. */
function showing(clusters: readonly Cluster[]): ClusterApi {
  const left = [...clusters]
  const find = () => Promise.resolve(left.length > 1 ? left.shift() : left[0])
  const change = (_path: string, _version: string | undefined, ms: number) =>
    new Promise((resolve) => setTimeout(resolve, left.length > 1 ? 1 : ms))
  return { find, list: () => Promise.resolve([pod]), change } as unknown as ClusterApi
}
const patience = { deadlineMs: 600_000, lookMs: 50 }

test('a failure of the order before is not held for one of this order', async () => {
  const api = showing([
    clusterIn(broken, false),
    clusterIn('Setting up primary', false),
    clusterIn('Cluster in healthy state', true),
  ])
  await expect(
    reach(api, { ref: 'abc', name: 'abc' }, 'running', patience),
  ).resolves.toBeUndefined()
})

test('one that stays is the answer, long before the deadline', async () => {
  const api = showing([clusterIn(broken, false)])
  await expect(reach(api, { ref: 'abc', name: 'abc' }, 'running', patience)).rejects.toThrow(broken)
})
