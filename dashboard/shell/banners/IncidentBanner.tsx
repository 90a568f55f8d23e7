import { useQuery } from '@tanstack/react-query'
import { Siren } from 'lucide-react'
import { incidentText } from '#contract/operations/banners'
import { operatorBannersQuery } from '../../session/banners.ts'
import { Banner } from '../../ui/Banner.tsx'

/** While something is wrong: for everybody, whether or not they are signed in. */
export function IncidentBanner() {
  const { data } = useQuery(operatorBannersQuery)
  if (!data?.incident) return null
  const { text, link } = data.incident
  return (
    <Banner
      variant="danger"
      icon={Siren}
      link={
        link && (
          <a className="link" href={link} target="_blank" rel="noreferrer">
            Status page
          </a>
        )
      }
    >
      {incidentText}
      {text && `. ${text}`}
    </Banner>
  )
}
