import { attachmentTypes } from '#contract/people/support'

type AttachmentType = (typeof attachmentTypes)[number]

/** What a file is, told from its bytes. Undefined: nothing that can be attached. Text is what is UTF-8 without control characters. */
export async function kindOf(content: Buffer): Promise<AttachmentType | undefined> {
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
