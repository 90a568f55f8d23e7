import { open, shot } from './.shot.mjs'
const b = await open(); const base='http://127.0.0.1:5199'; const storage='/tmp/dash-state.json'
const S=(path,o)=>shot(b,base,path,{storage,...o})
import { readFileSync } from 'node:fs'
const st=JSON.parse(readFileSync(storage)); const tok=JSON.parse(st.origins[0].localStorage.find(x=>x.name==='plinth.session').value).access_token
const orgs=await (await fetch('http://127.0.0.1:8500/platform/organizations',{headers:{authorization:'Bearer '+tok}})).json(); const slug=orgs[0].slug
const pr=(await (await fetch(`http://127.0.0.1:8500/platform/organizations/${slug}/projects`,{headers:{authorization:'Bearer '+tok}})).json()).projects; const ref=pr[0]?.ref
console.log(slug,ref,pr.map(p=>p.status))
const m=[390,844]
await S(`/project/${ref}`,{name:'m-home',size:m}); await S(`/project/${ref}/settings/general`,{name:'m-settings',size:m})
await S(`/project/${ref}`,{name:'m-drawer',size:m,before:async p=>{await p.click('button[aria-label=Pages]'); await p.waitForSelector('.drawer'); await p.waitForTimeout(300)}})
await S(`/project/${ref}`,{name:'o-cmd',before:async p=>{await p.keyboard.press('Control+k'); await p.waitForSelector('.cmd'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-account',before:async p=>{await p.click('.account'); await p.waitForSelector('.menu'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-org-switch',before:async p=>{await p.click('.crumb >> nth=0'); await p.waitForSelector('[role=listbox]'); await p.waitForTimeout(300)}})
await S(`/project/${ref}`,{name:'o-help',before:async p=>{await p.click('[aria-label=Help]'); await p.waitForSelector('.menu'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-shortcuts',before:async p=>{await p.keyboard.press('?'); await p.waitForSelector('.dlg'); await p.waitForTimeout(200)}})
await S(`/project/${ref}`,{name:'o-menu',before:async p=>{await p.click('[aria-label=More]'); await p.waitForSelector('.menu'); await p.waitForTimeout(200)}})
await S(`/project/${ref}/settings/general`,{name:'o-delete',theme:'light',before:async p=>{await p.click('button:has-text("Delete project")'); await p.waitForSelector('.dlg'); await p.waitForTimeout(300)}})
await b.close()
