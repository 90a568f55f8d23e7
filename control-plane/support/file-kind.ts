import { attachmentTypes } from '#contract/support'

type AttachmentType = (typeof attachmentTypes)[number]

/** What a file is, told from its bytes. Undefined: nothing that can be attached. Text is what is UTF-8 without control characters. */
export async function kindOf(content: Buffer): Promise<AttachmentType | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(content)
  if (found) return attachmentTypes.find((type) => type === found.mime)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content)
    // eslint-disable-next-line no-control-regex -- naming the control characters is the point of this rule
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : 'text/plain'
  } catch {
    // Not UTF-8, so no text.
    return undefined
  }
}
