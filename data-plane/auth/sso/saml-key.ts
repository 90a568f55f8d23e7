import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { selfSigned } from '#kit/network/self-signed'
import { saveSamlKey, savedSamlKey, type SamlKeyRow } from './saml-keys-store.ts'
import type { ServiceProvider } from './saml-response.ts'
import { sealedFor, type AuthTenant } from '../tenant.ts'

/** Where SAML identity providers know us: by the address that tokens are issued by, which no name of a project's own changes. */
export function addressesOf({ jwt, config }: AuthTenant) {
  const base = config.samlExternalUrl ?? jwt.issuer
  return { entityId: `${base}/sso/saml/metadata`, acsUrl: `${base}/sso/saml/acs` }
}

/**
 * Us, towards SAML identity providers. Where assertions may be encrypted, with the key for that, which is made once and
 * for good: what a provider was configured with keeps working.
 */
export async function serviceOf(tenant: AuthTenant): Promise<ServiceProvider> {
  const us = addressesOf(tenant)
  if (!tenant.config.samlEncryption) return us
  const row =
    (await savedSamlKey(tenant.pool)) ?? (await saveSamlKey(tenant.pool, await newKey(tenant)))
  const privateKey = tenant.secrets.open(row.sealed_private_key, sealedAs(tenant))
  return { ...us, decryption: { privateKey, certificate: row.certificate } }
}

async function newKey(tenant: AuthTenant): Promise<SamlKeyRow> {
  const keys = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const pem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    sealed_private_key: tenant.secrets.seal(pem, sealedAs(tenant)),
    certificate: selfSigned({ ...keys, commonName: tenant.id }),
  }
}

const sealedAs = (tenant: AuthTenant) => `saml key:${sealedFor(tenant)}`
