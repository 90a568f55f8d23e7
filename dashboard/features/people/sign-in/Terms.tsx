import { useContent, useHiddenAtSignIn } from '../../../session/organization/mode.ts'

/** What somebody who creates an account agrees to, as far as the operator has such documents. */
export function Terms() {
  const { terms_url: terms, privacy_url: privacy } = useContent()
  const off = useHiddenAtSignIn()
  if (off('dashboard_auth:show_tos')) return null
  const documents = [
    { name: 'terms of service', url: terms },
    { name: 'privacy policy', url: privacy },
  ].flatMap(({ name, url }) =>
    url === null
      ? []
      : [
          <a key={name} className="link" href={url} target="_blank" rel="noreferrer">
            {name}
          </a>,
        ],
  )
  if (documents.length === 0) return null
  return (
    <p className="muted t12 auth-terms">
      By creating an account, you agree to the{' '}
      {documents.flatMap((document, at) => (at === 0 ? [document] : [' and the ', document]))}.
    </p>
  )
}
