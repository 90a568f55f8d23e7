import { GitBranch } from 'lucide-react'
import { Badge } from '../ui/text/Badge.tsx'
import { Icon } from '../ui/Icon.tsx'
import { OptionList } from '../ui/lists/OptionList.tsx'
import { Switcher } from '../ui/navigation/Switcher.tsx'

/** Every project has its main branch; that is all there is so far. */
export function BranchSwitcher() {
  return (
    <Switcher
      label="Switch branch"
      current={
        <>
          <Icon of={GitBranch} size="s" />
          main
          <span className="hide-narrow">
            <Badge tone="solid">Production</Badge>
          </span>
        </>
      }
    >
      {(close) => (
        <OptionList
          label="Branches"
          value="main"
          options={[{ value: 'main', label: 'main', before: <Icon of={GitBranch} size="s" /> }]}
          onSelect={close}
        />
      )}
    </Switcher>
  )
}
