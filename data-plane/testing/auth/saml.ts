import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { encrypt, type EncryptOptions } from 'xml-encryption'
import { selfSigned } from '#kit/network/self-signed'

type Encryption = {
  certificate: string
  content?: EncryptOptions['encryptionAlgorithm'] | undefined
  key?: EncryptOptions['keyEncryptionAlgorithm'] | undefined
}

/** What an answer says; everything that a test may want to be wrong. */
export type Answer = {
  /** The request it answers, as our redirect carried it. */
  request: { id: string; acsUrl: string; relayState: string }
  nameId: string
  nameIdFormat?: string
  attributes?: Record<string, string | string[]>
  audience?: string
  recipient?: string
  issuer?: string
  inResponseTo?: string | undefined
  responseTo?: string
  method?: string
  /** From now. */
  endsInSeconds?: number
  startsInSeconds?: number
  withoutEnd?: boolean
  sign?: 'assertion' | 'response' | 'none'
  algorithm?: 'sha256' | 'sha1'
  /** Changes the XML after it was signed. */
  tamper?: (xml: string) => string
  /** Hides the assertion from everybody but whose certificate this is, in base64. */
  encryptFor?: Encryption
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

type Pair = ReturnType<typeof pairOfRsa>
const pairOfRsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const pairs: Pair[] = []
let providers = 0

/** Keys take longer to make than most tests; no test has as many providers as there are keys here. */
function nextPair(): Pair {
  const place = providers++ % 8
  return (pairs[place] ??= pairOfRsa())
}

/** A SAML identity provider with a key that no other one of its test has. */
export function createIdp(
  entityId = `https://idp.example/${randomBytes(4).toString('hex')}`,
  ssoUrl = 'https://idp.example/sso',
) {
  const { privateKey, publicKey } = nextPair()
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const certificate = selfSigned({ publicKey, privateKey, commonName: 'idp' })

  const metadata = `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
      <ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>
    </ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="${redirectBinding}" Location="${ssoUrl}"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`

  function sign(xml: string, element: 'Assertion' | 'Response', algorithm: 'sha256' | 'sha1') {
    const strong = algorithm === 'sha256'
    const signer = new SignedXml({
      privateKey: key,
      signatureAlgorithm: strong
        ? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
        : 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    })
    const xpath = `//*[local-name(.)='${element}']`
    signer.addReference({
      xpath,
      transforms: [
        'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
        'http://www.w3.org/2001/10/xml-exc-c14n#',
      ],
      digestAlgorithm: strong
        ? 'http://www.w3.org/2001/04/xmlenc#sha256'
        : 'http://www.w3.org/2000/09/xmldsig#sha1',
    })
    const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } as const
    signer.computeSignature(xml, { location })
    return signer.getSignedXml()
  }

  /** The form that the browser posts to us, with the assertion encrypted. */
  async function sealedAnswer(what: Answer & { encryptFor: Encryption }): Promise<URLSearchParams> {
    const form = answer(what)
    const xml = Buffer.from(form.get('SAMLResponse') ?? '', 'base64').toString()
    const [assertion = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml) ?? []
    // Alone it has to say itself what its names mean; the signature holds, which leaves that out.
    const names = '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" '
    const alone = assertion.replace('<saml:Assertion ', names)
    const sealed = await encrypted(alone, what.encryptFor)
    const whole = xml.replace(
      assertion,
      `<saml:EncryptedAssertion>${sealed}</saml:EncryptedAssertion>`,
    )
    form.set('SAMLResponse', Buffer.from(whole).toString('base64'))
    return form
  }

  /** The form that the browser posts to us. */
  function answer(what: Answer): URLSearchParams {
    const kind = what.sign ?? 'assertion'
    const plain = responseXml(entityId, what)
    const element = kind === 'response' ? 'Response' : 'Assertion'
    const signed = kind === 'none' ? plain : sign(plain, element, what.algorithm ?? 'sha256')
    const xml = what.tamper?.(signed) ?? signed
    return new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: what.request.relayState,
    })
  }

  return { entityId, certificate, metadata, answer, sealedAnswer }
}
export type TestIdp = ReturnType<typeof createIdp>

function encrypted(xml: string, { certificate, content, key }: Encryption): Promise<string> {
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`
  const options: EncryptOptions = {
    pem,
    rsa_pub: new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    encryptionAlgorithm: content ?? 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    warnInsecureAlgorithm: false,
    keyEncryptionAlgorithm: key ?? 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  }
  return new Promise((resolve, reject) =>
    encrypt(xml, options, (error, result) => (error ? reject(error) : resolve(String(result)))),
  )
}

/** Our request, as the redirect to the identity provider carries it. */
export function requestIn(url: string): Answer['request'] & { xml: string } {
  const { searchParams } = new URL(url)
  const raw = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')
  const xml = inflateRawSync(raw).toString()
  return {
    xml,
    id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
    acsUrl: /AssertionConsumerServiceURL="([^"]+)"/.exec(xml)?.[1] ?? '',
    relayState: searchParams.get('RelayState') ?? '',
  }
}

function responseXml(entityId: string, what: Answer): string {
  const { request, nameId } = what
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const end = what.withoutEnd ? '' : ` NotOnOrAfter="${at(what.endsInSeconds ?? 300)}"`
  const start = at(what.startsInSeconds ?? -60)
  const issuer = `<saml:Issuer>${what.issuer ?? entityId}</saml:Issuer>`
  const audience = what.audience ?? request.acsUrl.replace(/\/acs$/, '/metadata')
  const answered = 'inResponseTo' in what ? what.inResponseTo : request.id
  const inResponseTo = answered === undefined ? '' : ` InResponseTo="${answered}"`
  const attributes = Object.entries(what.attributes ?? {}).map(([name, value]) => {
    const values = [value].flat().map((one) => `<saml:AttributeValue>${one}</saml:AttributeValue>`)
    return `<saml:Attribute Name="${name}">${values.join('')}</saml:Attribute>`
  })
  const id = () => `_${randomBytes(16).toString('hex')}`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id()}" Version="2.0" IssueInstant="${at(0)}" Destination="${request.acsUrl}" InResponseTo="${what.responseTo ?? request.id}">${issuer}<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="${id()}" Version="2.0" IssueInstant="${at(0)}">${issuer}<saml:Subject><saml:NameID Format="${what.nameIdFormat ?? persistent}">${nameId}</saml:NameID><saml:SubjectConfirmation Method="${what.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'}"><saml:SubjectConfirmationData Recipient="${what.recipient ?? request.acsUrl}"${end}${inResponseTo}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${start}"${end}><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
}
