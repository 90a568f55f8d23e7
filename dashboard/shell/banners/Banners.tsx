import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Megaphone, ReceiptText, RefreshCw } from 'lucide-react'
import type { OperatorBanner } from '#contract/operations/banners'
import {
  acknowledge,
  operatorBannersQuery,
  overdueQuery,
  useAcknowledged,
} from '../../session/banners.ts'
import { billingBanners } from '../../session/organization/billing-banners.ts'
import { useSelfHosted } from '../../session/organization/mode.ts'
import { useOutdated } from '../../session/new-version.ts'
import { organizationsQuery } from '../../session/organization/organizations.ts'
import { permissionsQuery } from '../../session/organization/permissions.ts'
import { useWhere } from '../../session/project/where.ts'
import { Banner } from '../../ui/Banner.tsx'
import { ClockBanner } from './ClockBanner.tsx'
import { DiskBanner } from './DiskBanner.tsx'
import { IncidentBanner } from './IncidentBanner.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'

/** What concerns every page, above the top bar, in the order of the requirements (§2). */
export function Banners() {
  const { data: operator } = useQuery(operatorBannersQuery)
  const { outdated } = useOutdated()
  const selfHosted = useSelfHosted()
  return (
    <div className="banners">
      <OfflineBanner />
      <IncidentBanner />
      {operator?.notice && <Notice banner={operator.notice} />}
      {!selfHosted && <Billing />}
      {!selfHosted && <DiskBanner />}
      <ClockBanner />
      {outdated && (
        <Banner
          variant="notice"
          icon={RefreshCw}
          link={
            <button type="button" className="link" onClick={() => location.reload()}>
              Reload
            </button>
          }
        >
          A new version of the dashboard is available. Reload to continue.
        </Banner>
      )}
    </div>
  )
}

function Notice({ banner: { text, link, acknowledgement } }: { banner: OperatorBanner }) {
  if (useAcknowledged(acknowledgement)) return null
  return (
    <Banner
      variant="notice"
      icon={Megaphone}
      onDismiss={() => acknowledge(acknowledgement)}
      link={
        link && (
          <a className="link" href={link} target="_blank" rel="noreferrer">
            More information
          </a>
        )
      }
    >
      {text || 'The dashboard will be away for a few minutes. Your projects stay up.'}
    </Banner>
  )
}

function Billing() {
  const { slug } = useWhere()
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const { data: permissions } = useSuspenseQuery(permissionsQuery)
  const { data: overdue = [] } = useQuery(overdueQuery)
  return billingBanners({ organizations, overdue, permissions, slug }).map((banner) => (
    <Banner
      key={banner.id}
      variant={banner.variant}
      icon={banner.variant === 'danger' ? CircleAlert : ReceiptText}
      link={
        <Link className="link" to={banner.to} {...(banner.hash ? { hash: banner.hash } : {})}>
          View Details
        </Link>
      }
    >
      <b className="med">{banner.title}.</b> {banner.text}
    </Banner>
  ))
}
