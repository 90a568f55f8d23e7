import { ApiError } from '../errors.ts'

/**
 * A multipart form as the input of an endpoint: a text part under its name, files as a list of `{path, content}` under
 * theirs, with the bytes as base64. `path` is the whole name that the sender gave the file.
 * @throws ApiError invalid_input
 */
export async function formFields(
  contentType: string,
  body: Buffer,
): Promise<Record<string, unknown>> {
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw new ApiError('invalid_input', 'The body is not a well-formed multipart form')
  })
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      fields.set(name, value)
      continue
    }
    const content = Buffer.from(await value.arrayBuffer()).toString('base64')
    const before = fields.get(name)
    fields.set(name, [...(Array.isArray(before) ? before : []), { path: value.name, content }])
  }
  return Object.fromEntries(fields)
}
