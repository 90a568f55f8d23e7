import { InMemoryProvider, OpenFeature } from '@openfeature/web-sdk'

const domain = 'plinth'

/** What the server said, evaluated as every OpenFeature client does: another provider can take this one's place. */
export async function evaluate(values: Record<string, boolean>): Promise<Record<string, boolean>> {
  const variants = { on: true, off: false }
  const configuration = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      { variants, defaultVariant: value ? ('on' as const) : ('off' as const), disabled: false },
    ]),
  )
  await OpenFeature.setProviderAndWait(domain, new InMemoryProvider(configuration))
  const client = OpenFeature.getClient(domain)
  return Object.fromEntries(
    Object.keys(values).map((key) => [key, client.getBooleanValue(key, false)]),
  )
}
