import { setTimeout as delay } from 'node:timers/promises'
import { vault } from '#contract/integrations/vault'
import { RefusedError } from './manage-client.ts'
import { refIn, type Context, type Result, type Command } from './manage-command.ts'

/** How long sealing all secrets of a project anew may take, with its retries. */
const timeoutMs = 120_000

async function rotate(rest: string[], { ask, notify }: Context): Promise<Result> {
  const base = `/platform/projects/${refIn(rest)}/vault`
  const { id } = await ask(`POST ${base}/rotate`, vault.rotate.returns)
  notify('plinth: the new key is in use; encrypting the secrets with it')
  for (const deadline = Date.now() + timeoutMs; ; await delay(250)) {
    const { key, secrets, installed } = await ask(`GET ${base}`, vault.state.returns)
    if (key?.rotating === false) {
      if (key.failure !== null)
        throw new RefusedError(`${key.failure}. Every secret can still be decrypted`)
      const closed = secrets.filter(({ opens }) => !opens).length
      const left =
        closed === 0
          ? []
          : [
              `${closed} of ${secrets.length} secrets cannot be decrypted: they were encrypted with keys that this project does not have`,
            ]
      return {
        data: { id, former: key.former, secrets: secrets.length, closed, installed },
        lines: [
          `Key ${key.id} encrypts the vault; earlier keys kept for backups: ${key.former}`,
        ].concat(left),
      }
    }
    if (Date.now() > deadline)
      throw new RefusedError(
        'the rotation is still running; every secret can be decrypted meanwhile',
      )
  }
}

/** What people do to the vault of a project. */
export const vaultCommands: Readonly<Record<string, Command>> = {
  'vault rotate': {
    takes: 'REF',
    does: "Encrypts the secrets of a project's vault with a new key, and waits until that is done",
    max: 1,
    run: rotate,
  },
}
