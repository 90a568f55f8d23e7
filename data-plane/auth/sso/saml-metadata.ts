import { AuthError } from '../errors.ts'

/** What a SAML identity provider says of itself, as far as signing in needs it. */
export type IdpMetadata = {
  entityId: string
  /** Where the browser is sent with a request (binding HTTP-Redirect). */
  ssoUrl: string
  /** Base64 of the certificates that its signatures are checked with. */
  certificates: string[]
}

const largest = 512 * 1024
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** Elements have two. Reading and searching them takes the square of their number: a tenth of a second for these. */
const maxTags = 2000
/** Attributes have two. */
const maxQuotes = 8000

/**
 * XML that declares entities can grow without end, or read files where it is parsed; of many small elements a megabyte
 * stops the service for minutes. SAML needs neither.
 */
export function refuseHostile(xml: string): void {
  if (xml.length > largest) throw bad('The XML is larger than 512 KB')
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw bad('XML with a document type is not accepted')
  const tags = xml.match(/</g)?.length ?? 0
  if (tags > maxTags) throw bad(`The XML has more than ${maxTags / 2} elements`)
  const quotes = xml.match(/["']/g)?.length ?? 0
  if (quotes > maxQuotes) throw bad(`The XML has more than ${maxQuotes / 2} attributes`)
}

/** Reads metadata. 422 `validation_failed` with what is missing. */
export async function parseMetadata(xml: string): Promise<IdpMetadata> {
  if (xml.length > largest) throw bad('The metadata is larger than 512 KB')
  refuseHostile(xml)
  const root = await parsed(xml)
  const entity = elements(root, 'EntityDescriptor')[0]
  const idp = elements(entity, 'IDPSSODescriptor')[0]
  const entityId = attribute(entity, 'entityID')
  if (!entityId || !idp) throw bad('The metadata describes no SAML identity provider')
  const service = elements(idp, 'SingleSignOnService').find(
    (one) => attribute(one, 'Binding') === redirectBinding,
  )
  const ssoUrl = attribute(service, 'Location') ?? ''
  const protocol = URL.canParse(ssoUrl) ? new URL(ssoUrl).protocol : ''
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw bad('The metadata names no sign-in address for the HTTP-Redirect binding')
  }
  const certificates = elements(idp, 'KeyDescriptor')
    .filter((key) => (attribute(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => elements(key, 'KeyInfo'))
    .flatMap((info) => elements(info, 'X509Data'))
    .flatMap((data) => elements(data, 'X509Certificate'))
    .map((certificate) => textOf(certificate).replace(/\s+/g, ''))
    .filter((text) => /^[A-Za-z0-9+/=]{200,}$/.test(text))
  if (certificates.length === 0) throw bad('The metadata contains no signing certificate')
  return { entityId, ssoUrl, certificates }
}

async function parsed(xml: string): Promise<unknown> {
  try {
    const { parseDomFromString, parseXml2JsFromString } =
      await import('@node-saml/node-saml/lib/xml.js')
    await parseDomFromString(xml)
    return await parseXml2JsFromString(xml)
  } catch {
    // Whatever the parser says of a stranger's text, it is not XML.
    throw bad('The metadata is not valid XML')
  }
}

function bad(message: string): AuthError {
  return new AuthError('validation_failed', message, { status: 422 })
}

/** The child elements of a name. The parser gives one object per element; children stand in lists by name. */
export function elements(node: unknown, name: string): unknown[] {
  const value = member(node, name)
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

export function attribute(node: unknown, name: string): string | undefined {
  const value = member(member(node, '$'), name)
  return typeof value === 'string' ? value : undefined
}

/** The text within an element. */
export function textOf(node: unknown): string {
  const value = typeof node === 'string' ? node : member(node, '_')
  return typeof value === 'string' ? value : ''
}

function member(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined
  return (node as Record<string, unknown>)[name] // it has it
}
