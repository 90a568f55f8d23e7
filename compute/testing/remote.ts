import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { silentLog } from '#kit/log'
import type { Provider, VaultKeysOf } from '../provider.ts'
import { createAgent } from '../remote/agent.ts'
import { createRemoteProvider } from '../remote/remote.ts'
import { localHarness } from './local.ts'
import type { Harness } from './conformance.ts'

export type RemoteHarness = Harness & {
  /** Where the agent answers, and what it asks for. */
  url: string
  token: string
}

/** A local provider that is asked by way of an agent, from which it has the keys of vaults, too. */
export async function remoteHarness({
  vaultKeys,
  ...where
}: NonNullable<Parameters<typeof localHarness>[0]>): Promise<RemoteHarness> {
  let keysOf: VaultKeysOf = () => Promise.reject(new Error('No agent has begun'))
  const local = await localHarness({
    ...where,
    ...(vaultKeys && { vaultKeys: (ref) => keysOf(ref) }),
  })
  const asked = (inner: Provider) =>
    serve((keys) => {
      keysOf = keys
      return inner
    }, vaultKeys)
  let { provider, end, ...place } = await asked(local.provider)
  return {
    ...local,
    ...place,
    provider,
    async reopen() {
      await end()
      ;({ provider, end } = await asked(await local.reopen()))
      await provider.prepare()
      return provider
    },
    async close() {
      await provider.close()
      await end()
      await local.close()
    },
  }
}

async function serve(open: (keys: VaultKeysOf) => Provider, vaultKeys: VaultKeysOf | undefined) {
  const token = randomBytes(24).toString('hex')
  const agent = createAgent({ open, token, log: silentLog })
  await agent.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = agent.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const remote = createRemoteProvider({
    url,
    token,
    ...(vaultKeys && { vaultKeys }),
    log: silentLog,
    patienceMs: 5000,
  })
  return {
    url,
    token,
    provider: remote,
    async end() {
      await remote.close()
      await agent.app.close()
    },
  }
}
