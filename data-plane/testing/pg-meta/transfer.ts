import { expect } from 'vitest'
import type { ImportState } from '#contract/database/table-transfer'
import type { Login } from '../../pg-meta/connections.ts'
import { ref, type Answer, type Meta } from './pg-meta.ts'

export type State = ImportState
export type Transfer = ReturnType<typeof transferOf>

/** Files out of tables and into them, as the endpoints do it. */
export function transferOf(meta: Meta) {
  async function idOf(name: string): Promise<number> {
    const [row] = await meta.sql(`select '${name}'::regclass::oid::int as id`)
    return Number(row?.['id'])
  }
  async function exported(name: string, body: object): Promise<string> {
    const response = await meta.app.inject({
      method: 'POST',
      url: `/${ref}/entities/${await idOf(name)}/export`,
      headers: { 'x-plinth-login': 'plinth_read_only' },
      body,
    })
    if (response.statusCode !== 200) throw new Error(response.body)
    return response.body
  }
  /** Announces a file of this text. */
  const started = (input: object, text: string, login?: Login) =>
    meta.call('POST', 'imports', { schema: 'public', file: fileOf(text), ...input }, login)

  /** Sends pieces of this many characters from a byte on; answers what the first refusal, or the last piece, did. */
  async function sent(id: string, text: string, size = 100_000, from = 0): Promise<Answer> {
    let answer: Answer = { status: 200, body: {} }
    for (let at = from, offset = from, end = from; at < text.length; at = end) {
      end = at + size
      // Not between the two halves of a character: each of them alone would be sent as something else.
      if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end += 1
      const piece = text.slice(at, end)
      answer = await meta.call('POST', `imports/${id}/pieces`, { offset, text: piece })
      if (answer.status !== 200) return answer
      offset += Buffer.byteLength(piece)
    }
    return answer
  }
  /** Waits until it has ended. */
  async function ended(id: string): Promise<State> {
    let state: State | undefined
    const hasEnded = async () => {
      // What state answers by its contract.
      state = (await meta.call('GET', `imports/${id}`)).body as State
      return state.ended_at !== null
    }
    await expect.poll(hasEnded).toBe(true)
    if (!state) throw new Error('It has no state')
    return state
  }
  /** The whole way of a file into a table; a refusal on the way is thrown. */
  async function imported(input: object, text: string, size?: number): Promise<State> {
    const start = await started(input, text)
    if (start.status !== 200) throw new Error(JSON.stringify(start.body))
    // What start answers by its contract.
    const { id } = start.body as State
    const last = await sent(id, text, size)
    if (last.status !== 200) throw new Error(JSON.stringify(last.body))
    await meta.call('POST', `imports/${id}/finish`, {})
    const state = await ended(id)
    await meta.call('DELETE', `imports/${id}`)
    return state
  }
  return { idOf, exported, started, sent, ended, imported }
}

export const fileOf = (text: string) => ({
  name: 'a file.csv',
  size: Buffer.byteLength(text),
  modified: 0,
})
