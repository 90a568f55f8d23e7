import type { Parsed } from '#contract/endpoint'
import {
  attachmentLimits,
  supportCategories,
  type support as api,
  attachmentTypes,
} from '#contract/people/support'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { QueueMail } from '../../operations/outgoing-mail/outgoing-mail.ts'
import type { SupportStore } from './store.ts'

type Request = Parsed<typeof api.send>
type Deps = {
  store: SupportStore
  queueMail: QueueMail
  startJob: (job: Job) => Promise<void>
  /** Throws the 404 of an organization or project that the caller may not know of. */
  checkVisible: (caller: Caller, about: { slug?: string; ref?: string }) => Promise<void>
  /** Whoever runs the platform. */
  supportEmail: string
}

/** Loose files of one person: enough for some drafts, not a store. */
const maxLooseFiles = 20

/** Requests for help: kept here, and mailed to whoever runs the platform. */
export function createSupport(deps: Deps) {
  const { store } = deps
  return {
    async attach(caller: Caller, { name, base64 }: Parsed<typeof api.attach>) {
      const content = Buffer.from(base64, 'base64')
      if (content.length > attachmentLimits.bytes) {
        throw new ApiError('body_too_large', 'Files can be up to 2 MB')
      }
      const content_type = await kindOf(content)
      if (!content_type) {
        throw new ApiError('invalid_input', 'Attach images, PDF documents or plain text')
      }
      if ((await store.looseFiles(caller.userId)) >= maxLooseFiles) {
        throw new ApiError(
          'rate_limited',
          'Send the support request for the files you attached first',
        )
      }
      const kept = await store.keepFile({ user_id: caller.userId, name, content_type, content })
      if (!kept) throw new ApiError('user_profile_not_found')
      return { id: kept.id, content_type, size: content.length }
    },

    async send(caller: Caller, request: Request) {
      const { organization_slug: slug, project_ref: ref } = request
      if (slug) await deps.checkVisible(caller, { slug })
      if (ref) await deps.checkVisible(caller, { ref })
      const { job, id } = await store.transaction(async (tx) => {
        const ticket = await store.insert(tx, {
          user_id: caller.userId,
          organization_id: slug ? ((await store.organizationId(tx, slug)) ?? null) : null,
          project_ref: ref ?? null,
          category: request.category,
          severity: request.severity,
          subject: request.subject,
          message: request.message,
          details: JSON.stringify(detailsOf(request)),
        })
        const ids = [...new Set(request.attachment_ids)]
        const files =
          ids.length > 0 ? await store.claimFiles(tx, caller.userId, ticket.id, ids) : []
        if (files.length < ids.length) {
          throw new ApiError(
            'invalid_input',
            'An attached file is no longer available. Attach it again',
          )
        }
        const mail = {
          to: deps.supportEmail,
          replyTo: caller.email,
          subject: `[#${ticket.id}] ${request.subject}`,
          ...written(
            request,
            caller.email,
            files.map(({ name }) => name),
          ),
          attachments: files.map((file) => ({
            filename: file.name,
            contentType: file.content_type,
            base64: file.content.toString('base64'),
          })),
        }
        return { id: Number(ticket.id), job: await deps.queueMail(tx, mail) }
      })
      await deps.startJob(job)
      return { id }
    },
  }
}
export type Support = ReturnType<typeof createSupport>

const detailsOf = ({ library, allow_access, error_report_id, path }: Request) => ({
  library,
  allow_access,
  error_report_id,
  path,
})

/** The mail: what helps to answer first, then the person's words, as text alone so that nothing in them can act. */
function written(request: Request, from: string, files: readonly string[]) {
  const facts = Object.entries({
    From: from,
    About: supportCategories[request.category],
    Severity: request.severity,
    Organization: request.organization_slug,
    Project: request.project_ref,
    Library: request.library,
    Page: request.path,
    'Error report': request.error_report_id,
    'May look into the project': request.allow_access ? 'yes' : 'no',
    Files: files.length > 0 ? files.join(', ') : undefined,
  }).filter((fact): fact is [string, string] => fact[1] !== undefined)
  const text = [...facts.map(([name, value]) => `${name}: ${value}`), '', request.message].join(
    '\n',
  )
  return { text, html: `<pre style="white-space: pre-wrap">${escape(text)}</pre>` }
}

const escape = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

type AttachmentType = (typeof attachmentTypes)[number]

/** What a file is, told from its bytes. Undefined: nothing that can be attached. Text is what is UTF-8 without control characters. */
async function kindOf(content: Buffer): Promise<AttachmentType | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(content)
  if (found) return attachmentTypes.find((type) => type === found.mime)
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return content.some(isControl) ? undefined : 'text/plain'
  } catch {
    // Not UTF-8, so no text.
    return undefined
  }
}

/** Of UTF-8 such a byte is a character of its own. Tabs and ends of lines belong to a text. */
const isControl = (byte: number) => byte < 0x20 && (byte < 0x09 || byte > 0x0d)
