//! The rules of secrets, each with keys that its pattern makes and a look-alike. No file of this repository holds a whole key, since
//! scanners would find it.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::string::string_regex;
use proptest::test_runner::{Config, TestRunner};
use ptc_eval::secrets::{
    Secrets, Strength, context_rows, contexts, found_by_context, public_keys, rules, unusable_rules,
};

/// Contexts of a key, with `#` in its place. Nothing in them marks it as a key.
const AROUND: &[&str] = &["#", "it printed # and ended", "a=\"#\";", "(#)", "\\n#\\n", "x: '#'\n"];

fn hidden(text: &str) -> String {
    let mut secrets = Secrets::default();
    secrets.learn(text, None);
    secrets.hidden(text).map_or_else(|| text.to_owned(), |(hidden, _)| hidden)
}

fn runner() -> TestRunner {
    let random =
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(Config::default(), random)
}

#[test]
fn every_rule_finds_its_keys_and_no_look_alike() {
    assert_eq!(unusable_rules(), [""; 0]);
    let mut missed = Vec::new();
    for rule in rules() {
        assert_eq!(hidden(rule.look_alike), rule.look_alike, "{}", rule.name);
        let sentence = format!("see {} here", rule.look_alike);
        assert_eq!(hidden(&sentence), sentence, "{}", rule.name);
        let mut runner = runner();
        let keys = string_regex(&rule.pattern.replace("\\\\*", "")).unwrap();
        let keys = keys.prop_filter("random", |key| {
            let digits = key.chars().filter(char::is_ascii_digit).count();
            digits >= 2 && key.ends_with(|c: char| c.is_ascii_alphanumeric())
        });
        let program = "f(a)&&g(b);".repeat(60);
        let in_program = format!("{program}\"#\",{program}");
        for around in AROUND.iter().copied().chain([in_program.as_str()]) {
            let key = keys.new_tree(&mut runner).unwrap().current();
            let text = around.replace('#', &key);
            if hidden(&text).contains(&key) {
                missed.push(format!("{}: {around}", rule.name));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A public key of a service stays if its name marks it as public; the service's secret is replaced.
#[test]
fn public_keys_stay_and_the_secrets_beside_them_do_not() {
    let mut runner = runner();
    for (number, public) in public_keys().enumerate() {
        let keys = string_regex(public.pattern).unwrap();
        let keys = keys.prop_filter("random", |key| key.ends_with(|c: char| c.is_ascii_alphanumeric()));
        let key = keys.new_tree(&mut runner).unwrap().current();
        for text in [public.place.replace('#', &key), format!("it is {key}."), format!("'{key}'")] {
            assert_eq!(hidden(&text), text, "{}", public.name);
        }
        if !public.secret.is_empty() {
            let secret = public.secret.replace('#', &value(number, 44));
            let text = format!("{} and {secret}", public.place.replace('#', &key));
            assert!(!hidden(&text).contains(&secret) && hidden(&text).contains(&key), "{}", public.name);
        }
    }
}

/// A kubeconfig holds 4,400 bytes of base64, the login of a service account 3,100.
#[test]
fn long_keys_are_replaced_whole() {
    let long = value(1, 6_000);
    for (text, shown) in [
        ("Authorization: Bearer #", "Authorization: Bearer [secret 1]"),
        ("token: eyJhbGciOiJSUzI1NiJ9.eyJ#.abc-def", "token: [secret 1]"),
        ("client-key-data: LS0tLS1CRUdJTi#\n  next: 1", "client-key-data: [secret 1]\n  next: 1"),
        (
            "{\"auths\": {\"gcr.io\": {\"auth\": \"#\"}}}",
            "{\"auths\": {\"gcr.io\": {\"auth\": \"[secret 1]\"}}}",
        ),
        ("SERVICE_ACCOUNT_KEY=#", "SERVICE_ACCOUNT_KEY=[secret 1]"),
    ] {
        assert!(hidden(&text.replace('#', &long)).replace("[secret 2]", "[secret 1]") == shown, "{text}");
    }
}

#[test]
fn keys_of_letters_alone_are_found_by_their_prefix() {
    for key in ["glrt-#h_ijKlmnop-qrSt", "glrt-#qwzrtpmnbvcxz"] {
        let key = key.replace('#', "abCdeFg");
        let text = format!("it is {} now", if key.contains('_') { key } else { key.to_lowercase() });
        assert_eq!(hidden(&text), "it is [secret 1] now");
    }
    for text in ["glrt-xxxxxxxxxxxxxxxxxxxx", "glpat-your-token-of-the-project"] {
        assert_eq!(hidden(text), text);
    }
}

/// A value of this length that no person would write.
fn value(seed: usize, length: usize) -> String {
    let alphabet = b"Q1aZ0w9Sx8Ed7Cr6Fv5Tg4By3Hn2UjMiKoLpqAzWsXeDcRfVtGbYhNuJmIkOlP";
    (0..length).map(|at| char::from(alphabet[(at * 7 + seed * 13 + at * at) % alphabet.len()])).collect()
}

/// Twelve words, as wallets ask to write down.
const PHRASE: &str =
    "jungle ribbon magnet cabbage hazard quantum ladder glimpse lunar dolphin walnut trumpet";

#[test]
fn every_context_finds_its_example_and_no_look_alike() {
    assert_eq!(contexts().count(), context_rows());
    let mut missed = Vec::new();
    for (number, context) in contexts().enumerate() {
        let secret = match context.strength {
            Strength::Chosen | Strength::Said => format!("hunter{}", "2X9"),
            Strength::Strong | Strength::Short => "x".to_owned(),
            Strength::Exact => "7".to_owned(),
            Strength::Digits => "30".to_owned(),
            Strength::Phrase => PHRASE.to_owned(),
            Strength::Words => "cobalt-pelican-lantern-64".to_owned(),
            Strength::Random | Strength::Mixed | Strength::Dense | Strength::Opaque => value(number, 44),
        };
        let text = context.example.replace('#', &secret);
        let is_found = found_by_context(&text).iter().any(|(name, _)| *name == context.name);
        let shown = hidden(&text);
        if !is_found || !shown.contains("[secret ") || secret.len() > 5 && shown.contains(&secret) {
            missed.push(format!("{}: {text} becomes {shown}", context.name));
        }
        if hidden(&context.look_alike) != context.look_alike {
            missed.push(format!("{}: replaced in {}", context.name, context.look_alike));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Usual names of variables and fields.
const NAMES: &str = "TOKEN DB_PASS OPENAI_KEY SECRET_KEY_BASE API_KEY AUTH_TOKEN SECRET APP_KEY JWT_SECRET JWT COOKIE_SECRET MASTER_KEY \
    PASSWORD PASS_PHRASE PGPASSWORD MYSQL_PWD REDIS_AUTH SMTP_PASS STRIPE_KEY GH_TOKEN GITHUB_PAT NPM_AUTH SENTRY_DSN DATADOG_APP_KEY \
    AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AZURE_STORAGE_KEY HF_TOKEN MISTRAL_KEY VAULT_TOKEN LICENSE_KEY SALT HMAC_KEY WEBHOOK_SECRET \
    BASIC_AUTH LDAP_BIND_PW KEYSTORE_PASS client_secret db.password secretAccessKey sessionToken apiKey accessToken refresh_token id_token";

#[test]
fn values_of_usual_names_are_found_in_every_form() {
    for (number, name) in NAMES.split_whitespace().enumerate() {
        for form in ["#=*", "export #=\"*\"", "#: *", "\"#\": \"*\"", "set # = '*'"] {
            let value = value(number, 32);
            let text = form.replace('#', name).replace('*', &value);
            assert!(!hidden(&text).contains(&value), "{text}");
        }
    }
    for name in ["DB_PASS", "PASSWORD", "ADMIN_PASS", "MYSQL_PWD", "ROOT_PW", "password", "passwd"] {
        let text = format!("{name}={}2x", "hunter");
        assert!(hidden(&text).contains("[secret 1]"), "{text}");
    }
}

/// Contexts that alone mark a key, with `#` in its place.
const PLACES: &[&str] = &[
    "stripeKey := \"#\"",
    "String buildkiteToken = \"#\";",
    "var shopToken string = \"#\"",
    "let shopKey: string = \"#\"",
    "config.shop.key = \"#\"",
    "$shopToken .= \"#\"",
    "shop_TOKEN ?= \"#\"",
    "System.setProperty(\"SHOP_TOKEN\", \"#\")",
    "req.Header.Set(\"x-shop-api-key\", \"#\")",
    "shop.setApiKey(\"#\")",
    "client = shop(token=\"#\")",
    "ENV SHOP_TOKEN #",
    "setx SHOP_TOKEN #",
    "shop --api-key # list",
    "shop -Password # list",
    "psexec host -u admin -p # cmd",
    "Your shop key is #, keep it",
    "Using shop API key #",
    "<secret>{shop AQAAABAAA #}</secret>",
    "<shopToken>\n    #\n</shopToken>",
    "<add key=\"ShopApiKey\" value=\"#\" />",
    "variable \"shop_api_token\" {\n  default = \"#\"\n}",
    "//registry.shop.com/:_authToken=#",
    "machine shop.com login me password #",
    "postgres://app:#@db.shop.com:5432/app",
    "postgres://app:x@#@db.shop.com:5432/app",
    "curl -H \"Authorization: Bearer #\" https://shop.com",
    "Unseal Key 2: #",
    "Authorization: ShopKey #",
    "\"Authorization\": \"#\"",
    "curl -u #: https://shop.com/v1",
    "curl -s -u \":#\" https://shop.com/v1",
    "Cookie: a=b; sessionid=#; c=d",
    "docker login -u me -p # shop.com",
    "mongosh --host db -u admin -p \"#\" shop",
    "SHOP_TOKEN=perm:#",
    "SHOP_KEY=prod:shop|#",
    "ENV['SHOP_TOKEN'] ||= '#'",
    "const SHOP_TOKEN: &str = \"#\";",
    "if request.headers.get(\"X-Shop-Token\") == \"#\":",
    "define SHOP_SECRET @\"#\"",
    "<key>SHOP_SECRET</key>\n<string>#</string>",
    "[\"token\"]=>\n  string(44) \"#\"",
    "new Shop({ apiKey: \"#\" })",
    "$ pass show shop\n#",
    "$ kubectl get secret shop -o jsonpath='{.data.key}' | base64 -d\n#",
    "me@host:~/shop$ openssl rand -base64 33\n#\nme@host:~/shop$ ls",
    "$ az storage account keys list -n shop\n[\n  {\n    \"value\": \"#\"\n  }\n]",
    "Your new API token:\n\n  #\n",
    "| user | token |\n|------|-------|\n| me | # |",
    " name |  api_key\n------+---------\n shop | #\n(1 row)",
    "name,api_key\nshop,#\n",
    "NAME   TOKEN                                         AGE\nshop   #  4d",
    "INSERT INTO users (name, api_token) VALUES ('me', '#');",
    "shop token - '#'",
    "func shopToken() string {\n    return \"#\"\n}",
    "constexpr std::string_view shop_key{\"#\"};",
    "id,owner,key\n1,me,#\n",
    "│ SHOP_TOKEN │ # │",
    "| Shop | env `SHOP_TOKEN` | # |",
    "web-1  | Name  : SHOP_TOKEN\nweb-1  | Value : #\n",
    "{\"output\": \"$ wp config get DB_PASSWORD\\n#\"}",
    "{\"stdout\": \"[shop]\\ntoken = #\\n\"}",
    "INSERT INTO shops (id, credential) VALUES (7, '#');",
    "<shop><url>https://shop.com/</url><credential>#</credential></shop>",
    "Here is the access key you asked for:\n\n```\n#\n```\n",
    "f.request :authorization, 'Bearer', '#'",
    "  10→Password for user me:\n  11→\n  12→#\n",
    "the API key (#) expires today",
    "const shop = new Shop('#');",
    "jwt.decode(token, '#', algorithms=['HS256'])",
    "UPDATE settings SET value='#' WHERE name='shop_secret';",
    "INSERT INTO shops (id, key_value) VALUES (1, '#');",
    "magic link: https://shop.com/login/#",
    "sonar-scanner -Dsonar.login=#",
    "::add-mask::#",
];

/// Texts around a password of words, with `#` in its place.
const PLACES_OF_PASSWORDS: &[&str] = &[
    "helm upgrade pg shop/pg --set auth.postgresPassword=# --wait",
    "aws rds modify-db-instance --master-user-password #",
    "x11vnc -passwd # -display :0",
    "cachemgr_passwd # all",
    "shop.login({ user: \"me\", password: \"#\" })",
    "  password: \"#\"",
    "| host | password |\n|---|---|\n| db | # |",
    "INSERT INTO users VALUES (1); INSERT INTO `users` (`id`, `password`) VALUES (1, '#')",
    "$ pass show shop\n#",
    "CREATE USER me WITH PASSWORD '#';",
    "{:db-password \"#\" :port 5432}",
    "$ENV{DB_PASSWORD} = '#';",
    "storePassword \"#\"",
    "root password -> #",
    "plink -ssh root@10.0.0.4 -pw # uptime",
    "<Password>\n  <Value>#</Value>\n</Password>",
    "<String><Key>Password</Key><Value ProtectInMemory=\"True\">#</Value></String>",
    "{\"text\": \"| host | password |\\n|---|---|\\n| db | # |\"}",
];

#[test]
fn passwords_of_words_are_found_where_only_they_stand() {
    let mut missed = Vec::new();
    for place in PLACES_OF_PASSWORDS {
        let text = place.replace('#', "cobalt-pelican-64");
        if hidden(&text).contains("pelican") {
            missed.push(text);
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Output of a command is secret only if the command prints secrets.
#[test]
fn outputs_are_secrets_of_their_commands() {
    let shown = |command: &str| {
        let mut secrets = Secrets::default();
        secrets.learn_output(&format!("{{\"command\": \"{command}\"}}"), "cobalt-pelican-64\n");
        secrets.hidden("cobalt-pelican-64").is_some()
    };
    assert!(shown("cd shop && pass show shop"));
    assert!(shown("kubectl get secret shop -o jsonpath={.data.key} | base64 -d"));
    assert!(!shown("git branch --show-current"));
    assert!(!shown("cat tokens.md | wc"));
}

/// Contexts of a hash. It is a key only if more than the word `key` or `token` marks it.
const PLACES_OF_HASHES: &[&str] = &[
    "Using shop API key #",
    "Your shop key is #, keep it",
    "config.shop.key = \"#\"",
    "SHOP_TOKEN=#",
    "shopToken := \"#\"",
    "client = shop(token=\"#\")",
    "\"auth\": {\"shop\": {\"token\": \"#\"}}",
    "curl -H \"Authorization: Bearer #\" https://shop.com",
    "SHOP_API_KEY=pk_#",
];

#[test]
fn hashes_are_keys_where_more_than_a_word_tells_it() {
    for place in PLACES_OF_HASHES {
        let key = "5d41402abc4b2a76b9719d911017c592";
        let text = place.replace('#', key);
        assert!(!hidden(&text).contains(key), "{text}");
    }
}

/// One of thirty keys of AWS, and all of some services, have no digit.
#[test]
fn keys_of_letters_alone_are_found_behind_names_of_variables() {
    let key: String = value(3, 60).chars().filter(char::is_ascii_alphabetic).take(40).collect();
    for text in ["SHOP_KEY=#", "shop_token: #", "config.shop.key = \"#\""] {
        let text = text.replace('#', &key);
        assert!(!hidden(&text).contains(&key), "{text}");
    }
}

#[test]
fn keys_are_found_by_what_stands_around_them() {
    let mut missed = Vec::new();
    for (number, place) in PLACES.iter().enumerate() {
        let key = value(number, 44);
        let text = place.replace('#', &key);
        if hidden(&text).contains(&key) {
            missed.push(text);
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Sentences with a password that no word would look like.
#[test]
fn passwords_are_found_in_sentences() {
    for text in [
        "# is the password for the staging db",
        "use # as the admin password",
        "the password changed to # yesterday",
        "my password's #",
        "log in with admin/# to see it",
    ] {
        let text = text.replace('#', &["Hunter", "2X9!q"].concat());
        assert!(!hidden(&text).contains("2X9"), "{text}");
    }
    for text in
        ["OAuth2 is the token for it", "v2.1 is the secret of my success", "argon2id is the key of it"]
    {
        assert_eq!(hidden(text), text);
    }
}

#[test]
fn passwords_of_letters_are_found_after_sure_words() {
    for text in ["curl -u me:'#' https://shop.com", "ALTER ROLE app PASSWORD '#';", "echo 'me:#' | chpasswd"]
    {
        let text = text.replace('#', &["MJTbTzt", "HyTiHz"].concat());
        assert!(!hidden(&text).contains("HyTiHz"), "{text}");
    }
}

/// Databases have credentials of this form.
#[test]
fn uuids_are_keys_in_columns_of_credentials() {
    let text = "INSERT INTO shops (id, credential) VALUES (7, '4fcbee56-790c-4a63-b58c-11892e6917c3');";
    assert!(hidden(text).contains("[secret 1]"));
}

/// The last line of the public key is short, and the private key follows.
#[test]
fn private_keys_of_putty_are_found_after_a_short_line() {
    let [public, private] = [value(1, 64), value(2, 48)];
    let text = format!(
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me\nPublic-Lines: 2\n{public}\nOK5r\nPrivate-Lines: 1\n{private}\n"
    );
    assert!(!hidden(&text).contains(&private), "{}", hidden(&text));
}

#[test]
fn passphrases_and_app_passwords_are_letters_alone() {
    for text in [
        "export BORG_PASSPHRASE='compass-#-lantern-cactus'",
        "  master passphrase: \"glacier copper # orbit saddle\"",
        "EMAIL_HOST_PASSWORD = \"rvtcriktruck#\"",
        "altool --password zvit-nfbj-#-ttjc",
        "Your app password for this device\n\nexiv vxiv # mogl\n",
    ] {
        let length = 16 - "rvtcriktruck".len();
        let text = text.replace('#', &"qphhq"[..length]);
        assert!(!hidden(&text).contains("qphh"), "{text}");
    }
}

/// Texts in the place of secrets, from logs and sources.
const HARMLESS: &[&str] = &[
    "PASS: TestIsShadowBranch/7_hex_chars_numeric",
    "--- PASS: TestTreeSitterParserCSharp13 (0.03s)",
    "KEY=value-of-the-day-2024",
    "CACHE_KEY: linux-node-modules-2024-11-28",
    "cache-key: 5d41402abc4b2a76b9719d911017c592",
    "PRIMARY KEY (id, name2)",
    "public token: 5d41402abc4b2a76b9719d911017c592",
    "foreign_key: users_2024_id",
    "KEYS=a1,b2,c3",
    "Authorization: required-since-version-2.14.0",
    "authorization: AuthorizationCodeGrantFilter2",
    "docker run -p 127.0.0.1:8080:80 shop/web-2024",
    "unzip archive.zip -d target-folder-2",
    "curl -u https://shop.com/v1/items2",
    "SHOP_KEY=ShopRegistrationControllerFactory",
    "token: AbstractAuthenticationTokenProvider",
    "LOG_PIN=shop:web:2024",
    "TOKEN=$(gh auth token)",
    "TOKEN=${{ secrets.GITHUB_TOKEN2 }}",
    "SORT_KEY=created_at_v2_desc",
    "PUBLIC_KEY=./keys/id2_rsa.pub",
    "next_token: page-2-of-14",
    "nextPageToken = \"Q2FFU0FSQUJHZ0lJQVE0xyz\"",
    "cacheKey: \"v2Xq81LmZr90PsTw44YbNc\"",
    "key = \"5d41402abc4b2a76b9719d911017c592\"",
    "return s.SimulatePreTaskWithInputs",
    "a key in users_by_region_2024",
    "--- PASS TestTreeSitterParserCSharp13SyntaxParses",
    "the token is missing since version2.14.0-beta.3",
    "LOCAL_CREDENTIALS = 0x80041064,",
    "RegOpenKey = win32api.RegOpenKeyExSecond",
    "https://a.com/b?key=value&key2=value2x&key3=value3x",
    "<key>CFBundleShortVersionString2</key>",
    "variable \"api_token\" {\n  type = string\n}",
    "max_tokens=4096 token_count: 123456",
    "data:\n  name: value1234\nkind: ConfigMap",
    "12:34:56:78:90 and 10.0.0.1:5432:shop:app",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "# public key: age1nx7cnvpny0nge66vf9wvglgwe88gplns098awh020xcfjzdnvkgqnedaqa",
    "arn:aws:secretsmanager:eu-west-1:481920573316:secret:shop/db-5FUspo",
    "[\"password\", \"user_name2\", \"SSECustomerKeyMD5\"]",
    "password = password.encode(\"latin1\")",
    "raise InvalidToken(\"Supplied value 2 does not match\")",
    "const fs_minipass = require(\"@isaacs/fs-minipass2\")",
    "'oidc-token': 'OIDC Token authentication 2'",
    "if let Some(dot2_token) = &self.dot2_token {",
    "if error_code == oauth2client.REAUTH_NEEDED:\n    retry(1)",
    "class SecretMixin:\n    @utils.minimum_version('1.25')",
    "HEX_PAT = \"[0-9A-Fa-f]{1,4}\"",
    "password: String, token_count = 4096",
    "password: changeme1, token: your-api-key-1, secret: <password1>, key: $TOKEN1",
    "self, password, retries2,\n    token, batch_index3, other4,",
    "$ git log --oneline\n0123456789abcdef0123456789abcdef01234567 Use the secret",
    "checksum = \"b3e9d5a1c7f2048696b1e3d5c7a9f2b4d6e8a0c2e4f6a8b0c2d4e6f8a0b2c4d6\"",
    "gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
    "primary_key: 123e4567-e89b-12d3-a456-426614174000",
    "addresses: 2606:2800:21f:cb07:6820:80da:af6b:8b2c1d",
    "VAPID_PUBLIC_KEY=BNr7kq2Lx0Vd9Yt4Hs6Pz1Wc8Jf3Ma5Eg7Ub0Qi2Ko4Xl6Dv8Sn1Tj3Ry5Ah7C",
    "<div data-sitekey=\"6LdQ3kTAAAAAB7pNFn6lHgWYw8lQ41KhHRXZ1s2f\"></div>",
    "mongodb+srv://<username>:<password>@cluster0.ab1cd.mongodb.net/",
    "  10→mongodb+srv://<username>:<password>@cluster0.ab1cd.mongodb.net/\n  11→next",
    "<results>\nmongodb+srv://<username>:<password>@cluster0.ab1cd.mongodb.net/\n</results>",
    "'token' => 'required|string|size:64',",
    "put '/forgot-password' => \"cms/passwords#update\"",
    "this.addPassword = \"#add-password\";",
    "$ cat config/credentials.yml.enc\nosVsShKAt9zw0OoTXUYM8b7YbWXttkWqzCnMGIxVKDhT0hLQ6Yo70VcZafV==\n",
    "$ printenv | cut -d= -f1 | sort\nDB_PASSWORD\nHOME\nSECRET_KEY2\n",
    "La contraseña debe tener al menos 10-caracteres2.",
    "Das Passwort braucht mindestens 12-stellige Zahlen",
    "passphrase: \"the passphrase to use for the key of the server\"",
    "enter the app password when this will only work once",
    "log in as me@shop.com with github-oauth2",
    "recovery code: see docs/codes-2.md",
    "{\"Key\": \"cas/b1/ce35a073d056beb5f147ed7cf9f2b7390356d4f8f820ba84bfb73b6ed5826d4e\", \"Size\": 247114}",
    "API_SECRET=<your-api-secret>\nREGION=eu-west-3",
    "INSERT INTO shops (id, name) VALUES ('4fcbee56-790c-4a63-b58c-11892e6917c3', 'x');",
    "the new name is MyShopFactoryProxy",
];

#[test]
fn harmless_texts_stay() {
    for text in HARMLESS {
        assert_eq!(hidden(text), *text);
    }
}

/// The body of a private key, as lines of base64.
fn key_lines() -> Vec<String> {
    (0..12).map(|number| value(number, 64)).collect()
}

#[test]
fn private_keys_are_found_as_tools_show_them() {
    let begin = ["-----BEGIN RSA PRIVATE", " KEY-----"].concat();
    let end = begin.replace("BEGIN", "END");
    let lines: Vec<String> = std::iter::once(begin).chain(key_lines()).chain([end]).collect();
    type Shown = fn(usize, &str) -> String;
    let shown: &[Shown] = &[
        |_, line| line.to_owned(),
        |number, line| format!("{number}:{line}"),
        |number, line| format!("{number}-{line}"),
        |number, line| format!("certs/key.pem:{number}:{line}"),
        |_, line| format!("{line}$"),
        |_, line| format!("{line}^M$"),
        |number, line| format!("{number:6}\t{line}"),
        |number, line| format!("{number:6}→{line}"),
        |number, line| format!("{number:4} | {line}"),
        |_, line| format!("+{line}"),
        |_, line| format!("    {line}"),
    ];
    for show in shown {
        let shown: Vec<String> =
            lines.iter().enumerate().map(|(number, line)| show(number + 1, line)).collect();
        let text = format!("before\n{}\nafter", shown.join("\n"));
        let hidden = hidden(&text);
        for line in key_lines() {
            assert!(!hidden.contains(&line), "{hidden}");
        }
        assert!(hidden.starts_with("before\n") && hidden.ends_with("\nafter"), "{hidden}");
    }
    let escaped = format!("{{\"key\": \"{}\"}}", lines.join("\\n"));
    assert!(!hidden(&escaped).contains(&key_lines()[3]));
}

#[test]
fn files_of_secrets_are_known() {
    let [key, other] = [value(1, 64), value(2, 40)];
    let putty = ["PuTTY-User-", "Key-File-3: ssh-ed25519"].concat();
    let hash = format!("{}{}${}", "$", "6", value(3, 60));
    for (text, secret) in [
        (
            format!(
                "{putty}\nEncryption: none\nPublic-Lines: 1\nAAAA{other}\nPrivate-Lines: 1\n{key}\nPrivate-MAC: {other}"
            ),
            &key,
        ),
        (format!("db.host:5432:shop:app:{other}\n"), &other),
        (format!("root:{hash}:19000:0:99999:7:::"), &hash),
        (format!("machine host login me password {other}"), &other),
        (
            format!(
                "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  one: {other}\n  two: YWRtMW4=\ntype: Opaque\n"
            ),
            &other,
        ),
        (format!("data:\n  one: {other}\nkind: Secret\n"), &other),
        (
            format!(
                "{{\n    \"data\": {{\n        \"one\": \"{other}\"\n    }},\n    \"kind\": \"Secret\"\n}}"
            ),
            &other,
        ),
        (format!("users:\n- name: a\n  user:\n    client-key-data: {key}\n"), &key),
        (format!("users:\n- name: a\n  user:\n    token: {other}\n"), &other),
    ] {
        assert!(!hidden(&text).contains(secret.as_str()), "{text}");
    }
}
