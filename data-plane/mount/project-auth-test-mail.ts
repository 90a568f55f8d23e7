import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { TestMail, type TestMailResult } from '#contract/auth/auth-test-mail'
import { ApiError } from '#kit/errors'
import { renderMail } from '../auth/mail/mail-templates.ts'
import type { Mail } from '../auth/mail/mailer.ts'
import { plainTextOf } from './project-auth-mails.ts'

/** How the mails of a project leave, without the queue: resolves when the mail was taken, rejects when it was not. */
export type MailWay = { way: TestMailResult['way']; send: (mail: Mail) => Promise<void> }

type Project = { url: string; siteUrl: string; mails: MailWay }
type Deps = { projectOf: (ref: string) => Promise<Project | undefined> }

const Input = TestMail.extend({ to: z.string().max(254) })

/** `POST /{ref}/test-mail`, for the control plane, which has asked who may. */
export function testMailRoutes(app: FastifyInstance, { projectOf }: Deps): void {
  app.post('/:ref/test-mail', async ({ params, body }): Promise<TestMailResult> => {
    const { ref } = z.object({ ref: z.string() }).parse(params)
    const { to, ...texts } = Input.parse(body)
    const project = await projectOf(ref)
    if (!project) throw new ApiError('project_not_found')
    const { way, send } = project.mails
    try {
      await send(mailOf(to, texts, project))
      return { way, refusal: null }
    } catch (error) {
      return { way, refusal: wordsOf(error) }
    }
  })
}

/** What the mail server answered, where it answered at all. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'response' in error && typeof error.response === 'string' ? error.response : error.message
}

/** The mail with the values of somebody who does not exist: its link and its code lead nowhere. */
function mailOf(to: string, texts: TestMail, { url, siteUrl }: Project): Mail {
  const { kind = 'confirmation', subject, html } = texts
  if (texts.kind === undefined) {
    const text = `This is a test mail of your project at ${url}. Its mail settings work.`
    return { kind, to, subject: 'Test mail', text, html: `<p>${text}</p>` }
  }
  const own = {
    ...(subject !== undefined && { subject }),
    ...(html !== undefined && { html, text: plainTextOf(html) }),
  }
  const rendered = renderMail(
    kind,
    { [kind]: own },
    {
      ConfirmationURL: `${url}/auth/v1/verify?token=test&type=${kind}&redirect_to=${siteUrl}`,
      Token: '123456',
      TokenHash: 'test',
      SiteURL: siteUrl,
      RedirectTo: siteUrl,
      Email: to,
      NewEmail: to,
      Data: {},
    },
  )
  return { kind, to, ...rendered }
}
