import { useQuery, useSuspenseQuery, onlineManager } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  CircleAlert,
  Megaphone,
  ReceiptText,
  RefreshCw,
  ClockAlert,
  WifiOff,
  HardDrive,
} from 'lucide-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
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
import { AllowWrites, useQuotaHold } from '../../modules/restriction/AllowWrites.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { diskBanner, diskQuery, quotaBanner } from '../../session/project/disk.ts'
import { projectQuery } from '../../session/project/project.ts'
import { clockQuery, isSkewed } from '../../session/clock.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/floats/Dialog.tsx'
import { IncidentBanner } from './IncidentBanner.tsx'

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
      {!selfHosted && <QuotaBanner />}
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

/** For who has a clock more than two minutes off; the sentence is the requirements' (§8). */
function ClockBanner() {
  const { data: skew } = useQuery(clockQuery)
  const [explained, setExplained] = useState(false)
  if (skew === undefined || !isSkewed(skew)) return null
  return (
    <>
      <Banner
        variant="notice"
        icon={ClockAlert}
        link={
          <button type="button" className="link" onClick={() => setExplained(true)}>
            More information
          </button>
        }
      >
        Your computer's clock appears to be inaccurate. This can cause issues with certain features.
      </Banner>
      {explained && <ClockDialog skew={skew} onClose={() => setExplained(false)} />}
    </>
  )
}

/** What a wrong clock disturbs and how to mend it. `skew` is how far it is ahead, in ms. */
function ClockDialog({ skew, onClose }: { skew: number; onClose: () => void }) {
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your clock is off"
      footer={
        <Button size="form" variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>
        This computer's clock is {minutes} minutes {skew > 0 ? 'ahead of' : 'behind'} the server's.
      </p>
      <p className="muted">
        Sessions and links in emails are valid for a limited time. With a wrong clock they can
        expire too early, and the dashboard shows the wrong times. Turn on automatic time in the
        settings of your system, then reload this page.
      </p>
    </Dialog>
  )
}

const subscribe = (changed: () => void) => onlineManager.subscribe(changed)
const isOnline = () => onlineManager.isOnline()

/** Without a network nothing is sent, and nothing fails: calls wait until there is one. */
function OfflineBanner() {
  if (useSyncExternalStore(subscribe, isOnline)) return null
  return (
    <Banner variant="notice" icon={WifiOff}>
      You are offline. Changes that you save now are sent when you are online again.
    </Banner>
  )
}

/** What SQL cannot do while the organization of the page's project is beyond its quota, and the way out. */
function QuotaBanner() {
  const { ref } = useWhere()
  return ref === undefined ? null : <QuotaOfProject projectRef={ref} />
}

function QuotaOfProject({ projectRef }: { projectRef: string }) {
  const hold = useQuotaHold(projectRef)
  if (!hold) return null
  const { project, until } = hold
  const { variant, title, text } = quotaBanner(project.name, until)
  return (
    <Banner
      variant={variant}
      icon={HardDrive}
      link={until === null && <AllowWrites project={project} inText />}
    >
      <b className="med">{title}.</b> {text}
    </Banner>
  )
}

// Few people ever need it.
const MakeSpace = lazy(() => import('./MakeSpace.tsx').then((m) => ({ default: m.MakeSpace })))

/** How full the database of the page's project is, from nine tenths on, with the ways out. */
function DiskBanner() {
  const { ref } = useWhere()
  return ref === undefined ? null : <OfProject projectRef={ref} />
}

function OfProject({ projectRef }: { projectRef: string }) {
  const [open, setOpen] = useState(false)
  const { data: project } = useQuery(projectQuery(projectRef))
  const runs = project?.status === 'ACTIVE_HEALTHY'
  const { data: usage } = useQuery({ ...diskQuery(projectRef), enabled: runs })
  const banner = runs && usage && diskBanner(project.name, usage)
  if (!banner) return null
  return (
    <>
      <Banner
        variant={banner.variant}
        icon={HardDrive}
        link={
          <button type="button" className="link" onClick={() => setOpen(true)}>
            Make space
          </button>
        }
      >
        <b className="med">{banner.title}.</b> {banner.text}
      </Banner>
      {open && (
        <Suspense>
          <MakeSpace project={project} usage={usage} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
