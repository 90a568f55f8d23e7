import { useQuery } from '@tanstack/react-query'
import { HardDrive } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { diskBanner, diskQuery } from '../../session/project/disk.ts'
import { projectQuery } from '../../session/project/project.ts'
import { useWhere } from '../../session/project/where.ts'
import { Banner } from '../../ui/Banner.tsx'

// Few people ever need it.
const MakeSpace = lazy(() => import('./MakeSpace.tsx').then((m) => ({ default: m.MakeSpace })))

/** How full the database of the page's project is, from nine tenths on, with the ways out. */
export function DiskBanner() {
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
