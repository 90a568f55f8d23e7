import type { Profile, SAML } from '@node-saml/node-saml'
import { AuthError } from '../errors.ts'
import { attribute, elements, refuseHostile, textOf, type IdpMetadata } from './saml-metadata.ts'

/** Us, as an identity provider knows us: the same for every provider of a tenant. */
export type ServiceProvider = {
  entityId: string
  acsUrl: string
  /** PEM, and base64 of the certificate: where providers may encrypt what they assert. */
  decryption?: { privateKey: string; certificate: string }
}

export type Assertion = {
  nameId: string
  nameIdFormat: string
  /** Values by attribute name. */
  attributes: ReadonlyMap<string, string[]>
}

const clockSkewMs = 30_000
const longestRequestMs = 10 * 60 * 1000
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

async function samlOf(
  us: ServiceProvider,
  idp: IdpMetadata,
  request: { id: string; at: Date },
): Promise<SAML> {
  // Few services have such a provider, and the library and its XML are large.
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
  return new SAML({
    idpCert: idp.certificates,
    issuer: us.entityId,
    audience: us.entityId,
    callbackUrl: us.acsUrl,
    entryPoint: idp.ssoUrl,
    // The assertion itself has to be signed; a signed envelope around it is not enough.
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: clockSkewMs,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    generateUniqueId: () => request.id,
    ...(us.decryption ? { decryptionPvk: us.decryption.privateKey } : {}),
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: longestRequestMs,
    // The one request that an answer may be to; it is remembered by us and not by the library.
    cacheProvider: {
      saveAsync: async (_, value) => ({ value, createdAt: request.at.getTime() }),
      getAsync: async (id) => (id === request.id ? request.at.toISOString() : null),
      removeAsync: async () => null,
    },
  })
}

/** The address of the identity provider, with our request in it. */
export async function requestUrl(
  us: ServiceProvider,
  idp: IdpMetadata,
  request: { id: string; at: Date; relayState: string },
): Promise<string> {
  const saml = await samlOf(us, idp, request)
  return saml.getAuthorizeUrlAsync(request.relayState, undefined, {})
}

/**
 * Checks an answer and returns what it asserts. The library checks the signature of the one assertion (and reads only
 * what is signed), its times and audience and the request it answers; what it leaves open is checked here: who issued
 * it, that it was made for this address and for this very request, and for whoever brings it.
 * @throws Error with the reason, which is for the log only.
 */
export async function checkResponse(
  us: ServiceProvider,
  idp: IdpMetadata,
  request: { id: string; at: Date },
  response: string,
): Promise<Assertion> {
  const xml = Buffer.from(response, 'base64').toString('utf8')
  refuseHostile(xml)
  for (const part of await readableParts(us, xml)) {
    refuseHostile(part)
    if (/xmldsig#(rsa|dsa|hmac)-sha1|xmldsig#sha1|xmldsig-more#rsa-md5/.test(part)) {
      throw new Error('The signature uses an algorithm that is too weak')
    }
  }
  const saml = await samlOf(us, idp, request)
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response })
  if (!profile) throw new Error('The response contains no assertion')
  const assertion = elements(profile.getAssertion?.(), 'Assertion')[0]
  if (textOf(elements(assertion, 'Issuer')[0]) !== idp.entityId) {
    throw new Error('The assertion comes from another issuer')
  }
  checkConfirmation(us, request.id, assertion)
  const conditions = elements(assertion, 'Conditions')[0]
  if (!attribute(conditions, 'NotOnOrAfter')) throw new Error('The assertion never ends')
  return read(profile, assertion)
}

/** All that can be signed: what is encrypted as it reads when it is opened, and the rest. */
async function readableParts({ decryption }: ServiceProvider, xml: string): Promise<string[]> {
  if (!decryption) return [xml]
  // Who may try out answers could learn from these how a text is opened; what providers use today is not among them.
  if (/xmlenc#(rsa-1_5|tripledes-cbc)/.test(xml)) {
    throw new Error('The assertion is encrypted in a way that is too weak')
  }
  const { decryptXml, parseDomFromString, xpath } = await import('@node-saml/node-saml/lib/xml.js')
  const document = await parseDomFromString(xml)
  const [sealed, ...more] = xpath.selectElements(
    document,
    "//*[local-name()='EncryptedAssertion' or local-name()='EncryptedID']",
  )
  if (!sealed) return [xml]
  if (more.length > 0) throw new Error('More than one thing is encrypted')
  const opened = await decryptXml(xmlOf(sealed), decryption.privateKey)
  sealed.parentNode?.removeChild(sealed)
  return [xmlOf(document), opened]
}

/** The nodes of this parser read as their XML. */
const xmlOf = (node: { toString(): string }): string => node.toString()

/** At least one bearer confirmation must be for our address and our request, and end (SAML profiles §4.1.4.2). */
function checkConfirmation(us: ServiceProvider, requestId: string, assertion: unknown): void {
  const confirmed = elements(elements(assertion, 'Subject')[0], 'SubjectConfirmation').some(
    (one) => {
      const data = elements(one, 'SubjectConfirmationData')[0]
      const end = Date.parse(attribute(data, 'NotOnOrAfter') ?? '')
      return (
        attribute(one, 'Method') === bearer &&
        attribute(data, 'Recipient') === us.acsUrl &&
        attribute(data, 'InResponseTo') === requestId &&
        end + clockSkewMs > Date.now()
      )
    },
  )
  if (!confirmed) throw new Error('The assertion was not made for this sign-in')
}

function read(profile: Profile, assertion: unknown): Assertion {
  const nameIdFormat = profile.nameIDFormat ?? ''
  // Such an id is another one each time, so nobody could be known again by it.
  if (!profile.nameID || profile.nameID.length > 255 || nameIdFormat === transient) {
    throw new AuthError('saml_assertion_no_user_id')
  }
  const attributes = elements(assertion, 'AttributeStatement')
    .flatMap((statement) => elements(statement, 'Attribute'))
    .map((one): [string, string[]] => [
      attribute(one, 'Name') ?? '',
      elements(one, 'AttributeValue').map(textOf).filter(Boolean),
    ])
  return { nameId: profile.nameID, nameIdFormat, attributes: new Map(attributes) }
}

/** What identity providers are configured with: our entity id, our address for answers, and that we want signatures. */
export function serviceMetadata({ entityId, acsUrl, decryption }: ServiceProvider): string {
  const key = decryption
    ? `
    <KeyDescriptor use="encryption">
      <KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${decryption.certificate}</X509Certificate></X509Data></KeyInfo>
      <EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>
      <EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>
    </KeyDescriptor>`
    : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(entityId)}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${key}
    <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
    <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(acsUrl)}" index="1" isDefault="true"/>
  </SPSSODescriptor>
</EntityDescriptor>
`
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
}
