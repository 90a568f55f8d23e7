import { invalid } from '../errors.ts'

export type Metadata = Record<string, unknown>

/** It travels in every access token, and HTTP servers refuse long headers, so a little is a lot. */
const largestBytes = 64 * 1024

/** A stored JSON value as metadata: seeds may leave NULL, or something that is no object. */
export function metadataOf(value: unknown): Metadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return value as Metadata // any JSON object is one
}

/** App metadata with one more entry in its list of ways to sign in; the first is the one the account was made with. */
export function withProvider(appMetadata: unknown, provider: string): Metadata {
  const app = metadataOf(appMetadata)
  const listed: unknown[] = Array.isArray(app['providers']) ? app['providers'] : []
  const providers = [...new Set([...listed, provider])]
  return { ...app, provider: app['provider'] ?? provider, providers }
}

/** Top-level merge: a given key replaces the old value, null removes it, what is not given stays. */
export function mergeMetadata(old: unknown, changes: Metadata | undefined): Metadata {
  const merged = new Map(Object.entries(metadataOf(old)))
  for (const [key, value] of Object.entries(changes ?? {})) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  // fromEntries defines own properties, so a key like __proto__ stays data.
  const result = Object.fromEntries(merged)
  if (changes && Buffer.byteLength(JSON.stringify(result)) > largestBytes) {
    throw invalid('Metadata cannot be larger than 64 KiB')
  }
  return result
}
