import { readFileSync } from 'node:fs'
import { CustomContent } from '#contract/operations/custom-content'
import { ourContent } from '#contract/operations/our-content'

const name = 'PLINTH_CUSTOM_CONTENT'

/** What the file of the operator's own words and links says, or one line about what is wrong with it. */
export function customContent(
  path: string | undefined,
  environment: string,
): { content: CustomContent } | { problem: string } {
  if (path === undefined) return { content: ourContent }
  let given: unknown
  try {
    given = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      problem:
        error instanceof SyntaxError
          ? `${name}: ${path} is not valid JSON: ${reason}`
          : `${name}: cannot be read: ${reason}`,
    }
  }
  const result = CustomContent.safeParse(given)
  if (!result.success) {
    const lines = result.error.issues.map(({ path: at, message }) =>
      at.length > 0 ? `${at.join('.')}: ${message}` : message,
    )
    return { problem: `${name}: ${lines.join('; ')}` }
  }
  const { ssl_certificate_url: certificate } = result.data
  return {
    content: {
      ...result.data,
      ssl_certificate_url: certificate && certificate.replaceAll('{env}', environment),
    },
  }
}

/** Hosts of images in it, which are fetched and shrunk as those that the operator allows. */
export const imageHostsOf = ({ testimonials }: CustomContent): string[] =>
  testimonials.map(({ img_url: url }) => new URL(url).host.toLowerCase())
