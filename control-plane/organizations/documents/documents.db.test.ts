import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let folder: string
let ada: Person
let eve: Person
const documentsOf = (slug: string) => `/platform/organizations/${slug}/documents`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-documents-'))
  plane = await startControlPlane(undefined, undefined, { documents: folder })
  ada = await newcomer(plane, 'ada')
  eve = await newcomer(plane, 'eve')
  await organizationOf(ada, 'Small', 'tier_free')
  await organizationOf(ada, 'Team')
  await writeFile(join(folder, 'data-processing-addendum.pdf'), '%PDF-1.7 dpa')
  await writeFile(join(folder, 'soc2-type-2-report.pdf'), '%PDF-1.7 soc2')
})
afterAll(async () => {
  await plane.end()
  await rm(folder, { recursive: true })
})

const download = (who: Person, slug: string, id: string) =>
  plane.app.inject({
    url: `${documentsOf(slug)}/${encodeURIComponent(id)}`,
    headers: { authorization: `Bearer ${who.token}` },
  })

test('who is not in the organization gets neither list nor file', async () => {
  expect((await eve.call('GET', documentsOf('team'))).status).toBe(404)
  expect((await download(eve, 'team', 'soc2-type-2-report')).statusCode).toBe(404)
})

test.each(['../master-key', '..%2Fmaster-key', '/etc/passwd', 'x', 'soc2-type-2-report.pdf'])(
  '%s is not a document',
  async (id) => {
    expect((await download(ada, 'team', id)).statusCode).toBe(400)
  },
)

test('what the plan does not include, and what was not supplied, is told apart', async () => {
  expect((await download(ada, 'small', 'soc2-type-2-report')).json()).toMatchObject({
    code: 'plan_limit',
  })
  expect((await download(ada, 'team', 'transfer-impact-assessment')).json()).toMatchObject({
    code: 'document_not_found',
  })
  const { body } = await ada.call('GET', documentsOf('small'))
  expect(body).toMatchObject([
    { id: 'data-processing-addendum', included: true, file: { size: 12 } },
    { id: 'transfer-impact-assessment', included: true, file: null },
    { id: 'soc2-type-2-report', included: false, file: { size: 13 } },
    { id: 'standard-security-questionnaire', included: false, file: null },
    { id: 'hipaa-business-associate-agreement', included: false, file: null },
  ])
})

test('a download is the file as it is, and is written down', async () => {
  const answer = await download(ada, 'team', 'soc2-type-2-report')
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe('%PDF-1.7 soc2')
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="soc2-type-2-report.pdf"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const { body } = await ada.call('GET', '/platform/organizations/team/audit?limit=1')
  expect(body['result']).toMatchObject([
    {
      action: { name: 'documents.download' },
      target: { description: 'document:soc2-type-2-report' },
    },
  ])
})

test('a folder or a dead link in the place of a file counts as not supplied', async () => {
  await symlink('/nowhere', join(folder, 'standard-security-questionnaire.pdf'))
  expect((await download(ada, 'team', 'standard-security-questionnaire')).statusCode).toBe(404)
})
