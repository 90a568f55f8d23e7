import { open } from './.shot.mjs'
const b = await open(); const p=await b.newPage(); p.on('console',m=>console.log(m.type(),m.text().slice(0,300))); p.on('pageerror',e=>console.log('PE '+e.message)); p.on('response',r=>{if(r.status()>=400)console.log(r.status(),r.url())}); p.on('requestfailed',r=>console.log('failed',r.url(),r.failure()?.errorText))
await p.goto('http://127.0.0.1:5198/sign-in'); await p.waitForTimeout(25000); console.log((await p.evaluate(()=>document.body.innerText)).slice(0,300)); await b.close()
