import { open, shot } from './.shot.mjs'
const b = await open(); const base='http://127.0.0.1:5199'; const storage='/tmp/dash-state.json'
const S=(path,o)=>shot(b,base,path,{storage,...o})
import { readFileSync } from 'node:fs'
const st=JSON.parse(readFileSync(storage)); const tok=JSON.parse(st.origins[0].localStorage.find(x=>x.name==='plinth.session').value).access_token
const orgs=await (await fetch('http://127.0.0.1:8500/platform/organizations',{headers:{authorization:'Bearer '+tok}})).json(); const slug=orgs[0].slug
const pr=(await (await fetch(`http://127.0.0.1:8500/platform/organizations/${slug}/projects`,{headers:{authorization:'Bearer '+tok}})).json()).projects; const ref=pr[0]?.ref
console.log(slug,ref,pr.map(p=>p.status))
for (const t of ['dark','light']) {
 await S('/organizations',{name:`p-orgs-${t}`,theme:t})
 await S(`/org/${slug}`,{name:`p-org-${t}`,theme:t})
 await S(`/project/${ref}`,{name:`p-home-${t}`,theme:t})
 await S(`/project/${ref}/settings/general`,{name:`p-settings-${t}`,theme:t})
 await S(`/new/${slug}`,{name:`p-newproject-${t}`,theme:t, before: async p=>{ await p.fill('input[name=password]','granite'); await p.waitForSelector('text=not secure enough',{timeout:5000}).catch(()=>console.log('no strength')) }})
}
await S(`/org/${slug}?view=table`,{name:'p-org-table'})
const m=[390,844]
await S('/organizations',{name:'m-orgs',size:m}); await S(`/org/${slug}`,{name:'m-org',size:m}); await S(`/project/${ref}`,{name:'m-home',size:m}); await S(`/project/${ref}/settings/general`,{name:'m-settings',size:m}); await S(`/new/${slug}`,{name:'m-new',size:m})
await S(`/project/${ref}`,{name:'m-drawer',size:m,before:async p=>{await p.click('[aria-label=Pages]'); await p.waitForTimeout(400)}})
await S(`/project/${ref}`,{name:'o-cmd',before:async p=>{await p.keyboard.press('Control+k'); await p.waitForSelector('.cmd'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-rail',before:async p=>{await p.hover('.railx-nav a'); await p.waitForTimeout(500)}})
await S(`/project/${ref}`,{name:'o-account',before:async p=>{await p.click('.account'); await p.waitForSelector('.menu'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-org-switch',before:async p=>{await p.click('.crumb >> nth=1'); await p.waitForTimeout(500)}})
await S(`/project/${ref}`,{name:'o-help',before:async p=>{await p.click('[aria-label=Help]'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-shortcuts',before:async p=>{await p.keyboard.press('?'); await p.waitForSelector('.dlg'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-menu',before:async p=>{await p.click('[aria-label=More]'); await p.waitForTimeout(200)}})
await S(`/project/${ref}/settings/general`,{name:'o-delete',before:async p=>{await p.click('button:has-text("Delete project")'); await p.waitForSelector('.dlg'); await p.waitForTimeout(300)}})
await S(`/new/${slug}`,{name:'o-region',before:async p=>{await p.click('button[aria-label^=Region]'); await p.waitForTimeout(300)}})
await b.close()
