from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import pre_migrate


class PotlineConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import deploy_checks, replaced
        from config.kit import demo
        from config.kit.triggers import registry, unrendered

        registry.install()
        unrendered.install()
        pre_migrate.connect(demo.mark_if_empty, dispatch_uid="config.kit.demo")
        register(replaced.all_or_none, Tags.database)
        register(deploy_checks.demo_stays_in_its_database, Tags.security, deploy=True)
        register(deploy_checks.parts_are_apart, Tags.security, deploy=True)
