import { afterAll, beforeAll, expect, test } from 'vitest'
import { functionTemplates } from '#dashboard/features/functions/functions/templates'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane({}, `create table todos (id int); grant select on todos to anon`)
})
afterAll(() => plane?.close())

/** What each answers to a request that is as good as one can be without a network. */
const answers: [string, RequestInit, number, string][] = [
  ['hello-world', { method: 'POST', body: '{"name":"Ada"}' }, 200, 'Hello Ada!'],
  ['database-access', {}, 200, '{"data":[]}'],
  ['storage-upload', { method: 'POST', body: new FormData() }, 400, 'file is missing'],
  ['node-api', {}, 200, '"digest":"'],
  ['openai-completion', { method: 'POST' }, 500, 'OPENAI_API_KEY'],
  ['stripe-webhook', { method: 'POST' }, 500, 'STRIPE_WEBHOOK_SECRET'],
  ['resend-email', { method: 'POST' }, 500, 'RESEND_API_KEY'],
  ['websocket-server', {}, 426, 'Connect with a WebSocket'],
]
test.each(answers)('the template %s runs without a network', async (id, init, status, text) => {
  plane.deploy(id, functionTemplates.find((each) => each.id === id)?.code ?? '')
  const answer = await plane.call(id, init)
  const body = await answer.text()
  expect([answer.status, body]).toEqual([status, expect.stringContaining(text)])
})
