import type { ReactNode } from 'react'
import type { SsoSettings } from '#contract/organizations/sso'
import { CopyText } from '../../../ui/text/CopyText.tsx'

type Props = { kind: 'saml' | 'oidc'; service: SsoSettings['service'] }

/** What the identity provider has to be told about us. */
export function ServiceDetails({ kind, service }: Props) {
  if (kind === 'oidc') return <Detail name="Redirect URI" text={service.redirect_uri} />
  return (
    <>
      <Detail name="Entity ID (audience)" text={service.entity_id} />
      <Detail
        name="Assertion consumer service URL"
        text={service.acs_url}
        end={
          <a className="link" href={service.metadata_url} download="plinth-metadata.xml">
            Download metadata
          </a>
        }
      />
    </>
  )
}

type DetailProps = { name: string; text: string; end?: ReactNode }

function Detail({ name, text, end }: DetailProps) {
  return (
    <div className="labelled">
      <span>
        {name}
        {end}
      </span>
      <CopyText text={text} what={name} />
    </div>
  )
}
