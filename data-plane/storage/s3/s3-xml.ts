import { XMLBuilder } from 'fast-xml-parser'
import { z } from 'zod'
import { LibraryError, LibraryThread, ThreadRefusal } from '#kit/library-thread'
import { S3Error } from './s3-errors.ts'

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'
const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: false })
/** The largest list of parts takes the parser a tenth of a second, and what nobody needs far longer. */
const parser = new LibraryThread({
  library: 'fast-xml-parser',
  longest: 2000,
  maxResult: 1_500_000,
  idle: 60_000,
})
const reading = {
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  // Numbers of characters among them; what a document defines by itself is refused before.
  htmlEntities: true,
  maxNestedTags: 10,
}

/** Undefined is left out; a list is the element several times. */
export type XmlValue =
  | string
  | number
  | boolean
  | undefined
  | { [name: string]: XmlValue }
  | XmlValue[]

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A document of the protocol. */
export const xmlOf = (root: string, content: Record<string, XmlValue>): string =>
  declaration + builder.build({ [root]: { '@_xmlns': namespace, ...content } })

/** A refusal, which has no namespace. */
export const errorXml = (error: S3Error, resource: string, requestId: string): string =>
  declaration +
  builder.build({
    Error: {
      Code: error.code,
      Message: error.message,
      ...error.details,
      Resource: resource,
      RequestId: requestId,
    },
  })

const malformed = (why: string) =>
  new S3Error('MalformedXML', `The XML of the request cannot be read: ${why}`)

/** What may stand several times in a document, and is a list even if it stands once. */
export const listOf = <T>(list: z.ZodType<T[]>) =>
  z.preprocess((value) => (Array.isArray(value) || value === undefined ? value : [value]), list)

/** What a client sent. Documents that define entities are refused unread. @throws S3Error */
export async function readXml<T>(text: string, root: string, schema: z.ZodType<T>): Promise<T> {
  if (/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(text)) throw malformed('it defines entities')
  const document = await parsed(text)
  const found = z.object({ [root]: schema }).safeParse(document)
  if (!found.success) throw malformed(`${root} is not as it has to be`)
  // The key is the one of the schema above.
  return found.data[root] as T
}

async function parsed(text: string): Promise<unknown> {
  try {
    // True: it is checked that it is a document first.
    return await parser.call('XMLParser#parse', reading, text, true)
  } catch (error) {
    if (error instanceof ThreadRefusal) throw malformed('it is too much')
    if (error instanceof LibraryError) throw malformed(error.message)
    throw error
  }
}

/** As addresses of this protocol have it: everything but letters, digits and `-._~`; slashes where `keep` says so. */
export function awsEncode(text: string, keep = ''): string {
  const encoded = encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return keep === '/' ? encoded.replaceAll('%2F', '/') : encoded
}
