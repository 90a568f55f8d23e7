import type { ImportState } from '#contract/table-transfer'
import { ref, type Answer, type Meta } from '../testing.ts'

export type State = ImportState & { kept: boolean }
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
  /** The file in pieces of this many characters. */
  async function imported(input: object, text: string, size = 100_000): Promise<Answer> {
    const started = await meta.call('POST', 'imports', { schema: 'public', ...input })
    if (started.status !== 200) return started
    // What start answers by its contract.
    const { id } = started.body as State
    for (let at = 0, index = 0; at < text.length; at += size, index++) {
      const body = { index, text: text.slice(at, at + size) }
      const answer = await meta.call('POST', `imports/${id}/pieces`, body)
      if (answer.status !== 200) return answer
    }
    return meta.call('POST', `imports/${id}/finish`, {})
  }
  return { idOf, exported, imported }
}
