//! Downloads a file of a Python package index: with pip, which knows the user's proxies, certificates and
//! credentials, or over HTTPS if there is no pip.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use fluent_uri::UriRef;
use fluent_uri::resolve::Resolver;
use ureq::tls::{RootCerts, TlsConfig};

/// The possible names of the Python interpreter.
const PYTHONS: [&str; 3] = ["python3", "python", "py"];

/// The maximum size of a downloaded file, in bytes.
const LARGEST: u64 = 1 << 30;

/// Downloads the wheel of a project's release with pip, or from the index that `PIP_INDEX_URL` names if pip does not run.
pub(super) fn as_configured(project: &str, version: &str, to: &Path) -> Result<(), String> {
    let name = to.file_name().unwrap_or_default();
    let requirement = format!("{project}=={version}");
    let mut failures = Vec::new();
    for python in PYTHONS {
        match with_pip(python, &requirement, to.parent().unwrap_or(to)) {
            Ok(()) if to.is_file() => return Ok(()),
            Ok(()) => failures.push(format!("pip did not download {}", name.display())),
            Err(why) => failures.push(why),
        }
    }
    match std::env::var("PIP_INDEX_URL") {
        Ok(url) => Index::new(&url, agent())?
            .download(project, &name.to_string_lossy(), to)
            .map_err(|why| format!("{}; {why}", failures.join("; "))),
        Err(_) => Err(format!(
            "{}; without pip, `cargo xtask ptxas --index URL` downloads from a package index",
            failures.join("; ")
        )),
    }
}

fn with_pip(python: &str, requirement: &str, into: &Path) -> Result<(), String> {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "download", "--quiet", "--no-deps", "--retries", "1", "--dest"]);
    let output = command.arg(into).arg(requirement).output();
    let output = output.map_err(|error| format!("{python} does not run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    let last = error.lines().last().unwrap_or_default();
    Err(format!("{python} -m pip download {requirement} failed: {last}"))
}

/// A client that trusts the certificates of the operating system, and uses the proxy that the environment names.
pub fn agent() -> ureq::Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = ureq::Agent::config_builder()
        .tls_config(tls)
        .timeout_connect(Some(Duration::from_secs(20)))
        .timeout_global(Some(Duration::from_mins(10)));
    config.build().into()
}

/// A Python package index with the "simple" pages of PEP 503.
#[derive(Debug)]
pub struct Index {
    url: String,
    agent: ureq::Agent,
}

impl Index {
    /// The index at this URL, accessed through this client.
    ///
    /// # Errors
    /// If `url` is not an absolute URL.
    pub fn new(url: &str, agent: ureq::Agent) -> Result<Self, String> {
        let url = url.trim_end_matches('/').to_owned();
        fluent_uri::Uri::parse(url.as_str()).map_err(|error| format!("`{url}`: {error}"))?;
        Ok(Self { url, agent })
    }

    /// Downloads a file of a project.
    pub(super) fn download(&self, project: &str, file: &str, to: &Path) -> Result<(), String> {
        let page = format!("{}/{project}/", self.url);
        let fail = |url: &str, error: ureq::Error| format!("{url}: {error}");
        let answer = self.agent.get(&page).header("Accept", "text/html").call();
        let html = answer.and_then(|mut answer| answer.body_mut().read_to_string());
        let html = html.map_err(|error| fail(&page, error))?;
        let link = link(&html, file).ok_or_else(|| format!("{page} does not list {file}"))?;
        let url = absolute(&page, link).ok_or_else(|| format!("`{link}` is not a URL"))?;
        let answer = self.agent.get(&url).call().map_err(|error| fail(&url, error))?;
        let mut body = answer.into_body().into_with_config().limit(LARGEST).reader();
        let mut written = std::fs::File::create(to).map_err(|error| error.to_string())?;
        std::io::copy(&mut body, &mut written).map_err(|error| format!("{url}: {error}"))?;
        Ok(())
    }
}

/// The URL of a file on a page of an index, without a fragment.
fn link<'h>(html: &'h str, file: &str) -> Option<&'h str> {
    let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut links = links.map(|link| link.split('#').next().unwrap_or(link));
    links.find(|link| link.rsplit('/').next() == Some(file))
}

fn absolute(page: &str, link: &str) -> Option<String> {
    let base = fluent_uri::Uri::parse(page).ok()?;
    let link = UriRef::parse(link).ok()?;
    Resolver::with_base(base).resolve(&link).ok().map(|url| url.to_string())
}
