import { Link } from '@tanstack/react-router'
import { CirclePause, Ellipsis, RotateCw, Settings } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#contract/projects/projects'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { RestartDialog, PauseDialog, endpointOf } from './project-actions.tsx'

/** What can be done with a running project, from its home. */
export function ProjectMenu({ project }: { project: Project }) {
  const { ref, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const selfHosted = useSelfHosted()
  const off = useDisabledFeatures()
  const [asking, setAsking] = useState<'restart' | 'pause'>()
  const close = () => setAsking(undefined)
  return (
    <>
      <Menu
        label="Project actions"
        align="end"
        trigger={<IconButton variant="secondary" icon={Ellipsis} label="More" />}
      >
        {!selfHosted && (
          <>
            {!off('project_settings:restart_project') && (
              <MenuItem
                icon={RotateCw}
                disabledReason={why(endpointOf('restart'))}
                onSelect={() => setAsking('restart')}
              >
                Restart project
              </MenuItem>
            )}
            <MenuItem
              icon={CirclePause}
              disabledReason={why(endpointOf('pause'))}
              onSelect={() => setAsking('pause')}
            >
              Pause project
            </MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem
          icon={Settings}
          as={(props) => <Link to="/project/$ref/settings/general" params={{ ref }} {...props} />}
        >
          Project settings
        </MenuItem>
      </Menu>
      <RestartDialog project={project} open={asking === 'restart'} onClose={close} />
      <PauseDialog project={project} open={asking === 'pause'} onClose={close} />
    </>
  )
}
