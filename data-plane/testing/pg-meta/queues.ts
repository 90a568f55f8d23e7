import { expect } from 'vitest'
import { queues } from '#contract/integrations/queues'
import type { Meta } from './pg-meta.ts'

/** The path of a call about queues, with what it asks. */
export const at = (path: string, query: Record<string, string> = {}) =>
  `queues${path}?${new URLSearchParams(query)}`
export const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id)

/** What tests of queues ask and do. */
export function queuesOf(meta: Meta) {
  const post = (path: string, body: object) => meta.call('POST', `queues${path}`, body)
  const put = (path: string, body: object) => meta.call('PUT', `queues${path}`, body)
  const list = async () => queues.list.returns.parse((await meta.call('GET', 'queues')).body)
  async function get(name: string) {
    const { status, body } = await meta.call('GET', at('/queue', { name }))
    expect(status, JSON.stringify(body)).toBe(200)
    return queues.get.returns.parse(body)
  }
  const messages = async (name: string, more: Record<string, string> = {}) =>
    queues.messages.returns.parse((await meta.call('GET', at('/messages', { name, ...more }))).body)
      .messages
  const create = async (name: string, more: object = {}) => post('', { name, ...more })
  async function send(name: string, message: unknown, more: object = {}): Promise<string> {
    const { status, body } = await post('/messages', {
      name,
      message: JSON.stringify(message),
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return queues.send.returns.parse(body).id
  }

  let made = 0
  /** A queue of its own, with messages numbered from 1. */
  async function queueWith(count: number, more: object = {}): Promise<string> {
    const name = `jobs ${made++}`
    expect((await create(name, more)).status).toBe(201)
    if (count > 0)
      await meta.sql(
        `select pgmq.send_batch('${name}', array(select jsonb_build_object('n', n) from generate_series(1, ${count}) n))`,
      )
    return name
  }
  return { post, put, list, get, messages, create, send, queueWith }
}
